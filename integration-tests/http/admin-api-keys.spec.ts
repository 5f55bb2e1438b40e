import { ApiMerchant, newMerchant } from "../support/api"
import { ADMIN, type Admin, prepareAdmin, ids, useAdminOf } from "../support/admin"
import { useStore } from "../support/store"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("API keys", () => {
  it("are shown once, listed without themselves, and void from the moment they are revoked", async () => {
    const { body } = await admin.post("/api-keys", { name: "Web shop", expires_at: "2099-01-01T00:00:00Z" })
    expect(body.key).toMatch(/^sk_test_/)
    expect(body.api_key).toMatchObject({
      name: "Web shop",
      prefix: "sk_test_",
      last_four: body.key.slice(-4),
      expires_at: "2099-01-01T00:00:00.000Z",
    })
    const listed = await admin.get("/api-keys?q=web")
    expect(ids(listed.body.api_keys)).toEqual([body.api_key.id])
    expect(listed.text).not.toContain(body.key)
    const asked = () => merchant.call("GET", "/sandbox/clock", undefined, { key: body.key })
    expect((await asked()).status).toBe(200)
    expect((await admin.delete(`/api-keys/${body.api_key.id}`)).body.api_key.revoked_at).not.toBeNull()
    expect((await asked()).status).toBe(401)
    expect((await admin.delete(`/api-keys/${body.api_key.id}`)).status).toBe(200)
    // docs/decisions/19: a key is named, also after it was revoked.
    const [revoked] = await admin.changes(body.api_key.id)
    expect(revoked.actor_names[String(body.api_key.id)]).toBe(`Web shop (sk_test_…${body.key.slice(-4)})`)
    expect((await admin.changes(body.api_key.id)).map(({ action, actor }) => [action, actor.type, actor.name])).toEqual(
      [
        ["api_key.revoked", "user", ADMIN.email],
        ["api_key.created", "user", ADMIN.email],
      ]
    )
  })

  it("decisions: Environments — production keys need an approved business verification, and may be restricted", async () => {
    const production = admin.at(merchant.id, "production")
    expect(await production.post("/api-keys", { name: "live" })).toMatchObject({
      status: 403,
      body: { code: "SERVICE_NOT_ENABLED" },
    })
    await admin.post(`/merchants/${merchant.id}`, { verification_status: "approved" })
    expect((await production.post("/api-keys", { name: "live" })).body.key).toMatch(/^sk_live_/)
    expect((await production.post("/api-keys", { name: "live", scopes: ["payments:read"] })).body.key).toMatch(
      /^rk_live_/
    )
    expect(await production.post("/api-keys", { name: "live", scopes: ["everything"] })).toMatchObject({
      status: 422,
      body: { field: "scopes" },
    })
  })

  it("decisions: Environments — a restricted key of the sandbox does what its scopes allow, and nothing else", async () => {
    const { key, api_key } = (await admin.post("/api-keys", { name: "x", scopes: ["payments:read"] })).body
    expect(key).toMatch(/^rk_test_/)
    expect(api_key).toMatchObject({ type: "restricted", scopes: ["payments:read"] })
    const { transaction_id } = await merchant.open()
    const restricted = new ApiMerchant(store, merchant.id, key, {})
    expect((await restricted.call("GET", `/payments/verify/${transaction_id}`)).status).toBe(200)
    const body = { transaction_id, refund_amount: "1.00", refund_reason: "x" }
    expect(await restricted.call("POST", "/payments/refund", body)).toMatchObject({
      status: 403,
      body: { error: { code: "INSUFFICIENT_SCOPE" } },
    })
  })

  it.each([
    [{}, "name"],
    [{ name: "x".repeat(101) }, "name"],
    [{ name: "late", expires_at: "2001-01-01T00:00:00Z" }, "expires_at"],
    [{ name: "none", scopes: [] }, "scopes"],
  ])("%j is refused and names %s", async (body, field) => {
    expect(await admin.post("/api-keys", body)).toMatchObject({ status: 422, body: { field } })
  })
})
