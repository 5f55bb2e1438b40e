import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { type Admin, prepareAdmin, signIn, useAdminOf } from "../support/admin"
import { createSampleRows } from "../support/sample-rows"
import { useReceiver } from "../support/receiver"
import { useStore } from "../support/store"
import { FORGED, LOOPBACK } from "../support/client-addresses"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
const receiver = useReceiver()
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("decisions: Origins — the audit log", () => {
  it("says which address and request each change came from, an admin's and a key's, and believes no X-Forwarded-For", async () => {
    const signedIn = await signIn(store)
    const changed = await fetch(`${store.url}/admin/gateway/merchants/${merchant.id}`, {
      method: "POST",
      headers: { ...signedIn, ...FORGED, "Content-Type": "application/json", "X-Request-Id": "of-the-admin" },
      body: JSON.stringify({ name: "Another name" }),
    })
    expect(changed.status).toBe(200)
    const headers = { ...FORGED, "X-Request-Id": "of-the-merchant" }
    await merchant.call("POST", "/merchants/ipn-secret/rotate", undefined, { headers })
    const { audit_entries } = (await admin.get("/audit")).body
    expect(audit_entries.slice(0, 2)).toMatchObject([
      {
        action: "ipn_secret.rotated",
        actor: { type: "merchant_key", name: expect.stringMatching(/^\S.* \(sk_test_….{4}\)$/) },
        address: expect.stringMatching(LOOPBACK),
        request_id: "of-the-merchant",
      },
      { action: "merchant.updated", address: expect.stringMatching(LOOPBACK), request_id: "of-the-admin" },
    ])
    expect((await admin.get("/audit?q=of-the-admin")).body.count).toBe(1)
  })

  it("a request id that is not safe to keep is not kept, and the address is", async () => {
    const signedIn = await signIn(store)
    const headers = { ...signedIn, "Content-Type": "application/json", "X-Request-Id": "<not an id>" }
    const body = JSON.stringify({ name: "A third name" })
    await fetch(`${store.url}/admin/gateway/merchants/${merchant.id}`, { method: "POST", headers, body })
    const [entry] = (await admin.get("/audit")).body.audit_entries
    expect(entry).toMatchObject({ address: expect.stringMatching(LOOPBACK), request_id: null })
  })

  it("background work has neither", async () => {
    await gatewayOf(store).merchants.update(merchant.id, { name: "By itself" })
    expect((await admin.get("/audit")).body.audit_entries[0]).toMatchObject({
      actor: { type: "system" },
      address: null,
      request_id: null,
    })
  })

  it.each([
    ["update", "UPDATE gateway_audit_entry SET actor_id = 'somebody else'"],
    ["delete", "DELETE FROM gateway_audit_entry"],
    ["truncate", "TRUNCATE gateway_audit_entry"],
  ])("the database refuses to %s an entry", async (_what, statement) => {
    await expect(store.db.raw(statement)).rejects.toThrow("audit entries are never changed and never deleted")
  })
})

describe("decisions: Refunds — in the audit log", () => {
  const [COMPLETES, FAILS] = ["4000000000007726", "4000000000005126"]
  const paid = async (card_number: string) => {
    const { session_id, transaction_id } = await merchant.open({ order_amount: "1000.00" })
    await merchant.pay(session_id, { payment_method: "card", card_number })
    return transaction_id
  }
  const requested = async (transaction_id: string, refund_amount: string, by: "key" | "admin") => {
    const body = { transaction_id, refund_amount, refund_reason: "Broken" }
    if (by === "admin") {
      return (await admin.post("/refunds", body)).body.refund.id
    }
    const { data } = (await merchant.call("POST", "/payments/refund", body)).body
    return (data as unknown as { refund_id: string }).refund_id
  }
  const entries = async (id: string) =>
    (await admin.changes(id)).reverse().map(({ action, actor, address }) => [action, actor.type, address !== null])

  it("says who requested each, and what became of it, with the amount and the acquirer's words", async () => {
    const byAdmin = await requested(await paid(COMPLETES), "10.00", "admin")
    expect(await entries(byAdmin)).toEqual([
      ["refund.requested", "user", true],
      ["refund.completed", "system", false],
    ])
    const [, { changes, actor_names }] = await admin.changes(byAdmin)
    expect(actor_names).toEqual({ [String(changes.requested_by.to)]: expect.stringMatching(/@/) })
    const byKey = await requested(await paid(FAILS), "20.00", "key")
    expect(await entries(byKey)).toEqual([
      ["refund.requested", "merchant_key", true],
      ["refund.failed", "system", false],
    ])
    const [failed, asked] = await admin.changes(byKey)
    expect(asked.changes).toMatchObject({
      amount: { from: null, to: "20.00" },
      currency: { from: null, to: "BDT" },
      reason: { from: null, to: "Broken" },
    })
    expect(failed.changes).toMatchObject({
      state: { from: "processing", to: "failed" },
      amount: { from: null, to: "20.00" },
      error_message: { from: null, to: expect.stringMatching(/./) },
    })
  })

  it("above the merchant's threshold it says who approved, and of a batch who sent it", async () => {
    await admin.post("/settings", { refund_approval_threshold: "100.00" })
    const held = await requested(await paid(COMPLETES), "500.00", "key")
    await admin.post(`/refund-approvals/${held}/approve`, { note: "Seen" })
    expect(await entries(held)).toEqual([
      ["refund.requested", "merchant_key", true],
      ["refund.approved", "user", true],
      ["refund.completed", "system", false],
    ])
    const csv = `transaction_id,refund_amount,refund_reason\n${await paid(COMPLETES)},7.00,Late`
    const { refund_batch } = (await admin.post("/refund-batches", { csv })).body
    const [{ id }] = refund_batch.refunds as { id: string }[]
    expect((await entries(id))[0]).toEqual(["refund.requested", "user", true])
  })

  it("a refused request leaves no entry, and no refund is without one", async () => {
    const transaction_id = await paid(COMPLETES)
    const refused = await admin.post("/refunds", { transaction_id, refund_amount: "1000.01", refund_reason: "Broken" })
    expect([refused.status, refused.body.code]).toEqual([400, "REFUND_EXCEEDED"])
    expect((await admin.get("/audit?action=refund.")).body.audit_entries).toEqual([])
    const ids = [await requested(transaction_id, "1.00", "key"), await requested(transaction_id, "2.00", "admin")]
    const { body } = await admin.get("/audit?action=refund.requested")
    expect(body.audit_entries.map((entry) => (entry as unknown as { resource_id: string }).resource_id)).toEqual(
      ids.reverse()
    )
    expect(body.count).toBe(2)
    expect((await admin.get("/audit?action=refund.c")).body.audit_entries.map(({ action }) => action)).toEqual([
      "refund.completed",
      "refund.completed",
    ])
  })
})

describe("decisions: Origins — whatever was changed above", () => {
  it("every entry of an admin or a key says where it came from, and every other says that no request did", async () => {
    await createSampleRows(merchant, admin, receiver)
    const entries = await store.db("gateway_audit_entry").select("action", "actor_type", "address", "request_id")
    const byPeople = entries.filter(({ actor_type }) => actor_type !== "system")
    expect(new Set(byPeople.map(({ action }) => action.split(".")[0])).size).toBeGreaterThan(8)
    expect(byPeople.filter(({ address }) => address === null)).toEqual([])
    expect(entries.filter(({ actor_type, address }) => actor_type === "system" && address !== null)).toEqual([])
  })
})
