import { newMerchant, type ApiMerchant } from "../support/api"
import { cookieOf, Admin, prepareAdmin, useAdminOf } from "../support/admin"
import { useStore } from "../support/store"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("hostile requests", () => {
  it.each(["%ff", "%", "%zz", "%c0%ae", "%ED%A0%80", "%00"])(
    "an id that does not decode, %s, does not exist",
    async (id) => {
      expect((await admin.get(`/events/${id}`)).status).toBe(404)
      expect((await admin.post(`/refund-approvals/${id}/approve`)).status).toBe(404)
    }
  )

  it.each(["/admin/", "/store/products/", "/auth/user/", "/hooks/payment/", "/gateway/acquirers/"])(
    "what does not decode below %s, also Medusa's own, is no error of the server",
    async (path) => {
      for (const part of ["%ff", "%", "a%c0%ae"]) {
        const { status } = await fetch(`${store.url}${path}${part}`, { method: "POST" })
        expect([path, part, status < 500]).toEqual([path, part, true])
      }
    }
  )

  it("a body that is nested deep, or holds what PostgreSQL cannot store, is refused", async () => {
    const deep = JSON.parse(`${"[".repeat(2_000)}${"]".repeat(2_000)}`) as unknown
    for (const path of ["/refund-approvals/x/approve", "/plans", "/deliveries/redeliver-failed"]) {
      expect(await admin.post(path, { a: deep })).toMatchObject({ status: 400, body: { code: "INVALID_REQUEST" } })
      expect(await admin.post(path, { note: "a\u0000b" })).toMatchObject({ status: 422, body: { field: "note" } })
      expect(await admin.post(path, { note: "\ud800" })).toMatchObject({ status: 422, body: { field: "note" } })
    }
  })
})

describe("lists", () => {
  it.each([
    ["limit=0", "limit", "limit must be a whole number from 1 to 100"],
    ["limit=101", "limit", "limit must be a whole number from 1 to 100"],
    ["limit=x", "limit", "limit must be a whole number from 1 to 100"],
    [
      "offset=-1",
      "offset",
      "offset must be a whole number from 0 to 10000; narrow the list by its filters to see what lies beyond",
    ],
    [
      "offset=10001",
      "offset",
      "offset must be a whole number from 0 to 10000; narrow the list by its filters to see what lies beyond",
    ],
    ["order=amounts", "order", "order must be one of created_at, -created_at, amount, -amount"],
    ["from=yesterday", "from", "from must be an ISO 8601 time, like 2026-01-31T00:00:00Z"],
    [
      "status=PAID",
      "status[0]",
      "status[0] must be of SUCCESS, AUTHORIZED, PENDING, FAILED, CANCELLED, EXPIRED, REFUNDED",
    ],
  ])("%s is refused with the field, the limit and the way out", async (query, field, message) => {
    expect(await admin.get(`/payments?${query}`)).toMatchObject({
      status: 422,
      body: { type: "invalid_data", field, message },
    })
  })
})

describe("compression", () => {
  const ask = (path: string, more: Record<string, string>) => {
    const url = `${store.url}/admin/gateway${path}?merchant_id=${merchant.id}&environment=sandbox`
    return fetch(url, { headers: { "Accept-Encoding": "gzip", ...more } })
  }

  it("long answers are compressed, with a bearer token and with the session's cookie", async () => {
    for (const signedIn of [admin.headers, { Cookie: await cookieOf(store, admin.headers) }]) {
      const response = await ask("/overview", signedIn)
      expect(response.status).toBe(200)
      expect(response.headers.get("content-encoding")).toBe("gzip")
      expect(response.headers.get("vary")).toContain("Accept-Encoding")
      expect(response.headers.get("cache-control")).toBe("no-store")
      expect(await response.json()).toMatchObject({ overview: { payments: expect.any(Object) } })
    }
  })

  it("short ones are not, refusals among them", async () => {
    for (const [path, status] of [
      ["/api-keys", 200],
      ["/ipn-secret", 200],
      ["/payments/nothing", 404],
    ] as const) {
      const response = await ask(path, admin.headers)
      expect([response.status, response.headers.get("content-encoding")]).toEqual([status, null])
      expect(Number(response.headers.get("content-length"))).toBe((await response.arrayBuffer()).byteLength)
    }
  })

  it("what the browser has is not sent again", async () => {
    const first = await ask("/payment-services", admin.headers)
    // Without a Cache-Control of its own, fetch() asks for an answer that nobody has kept.
    const kept = { "If-None-Match": first.headers.get("etag") ?? "", "Cache-Control": "max-age=0" }
    const again = await ask("/payment-services", { ...admin.headers, ...kept })
    expect([again.status, again.headers.get("content-encoding"), await again.text()]).toEqual([304, null, ""])
  })
})

describe("the language of refusals", () => {
  const inLanguage = (language: string) =>
    new Admin(store, { ...admin.headers, "Accept-Language": language }, merchant.id)

  it("is the admin's: Bangla for who asks for it, English for everybody else", async () => {
    const bangla = inLanguage("bn")
    expect((await bangla.get("/plans/999999")).body).toMatchObject({
      type: "not_found",
      code: "PLAN_NOT_FOUND",
      message: "এই আইডির কোনো প্ল্যান পাওয়া যায়নি",
    })
    const { status, body } = await bangla.post("/plans", { plan_name: "Tea", amount: "5", interval_count: 1 })
    expect([status, body.code]).toEqual([422, "VALIDATION_ERROR"])
    const minimum = { kind: "field", params: { name: "amount", rule: { kind: "rule.min", params: { min: "10.00" } } } }
    const required = { kind: "field", params: { name: "interval_unit", rule: { kind: "rule.required" } } }
    expect(body.details).toEqual([
      { field: "amount", message: "amount কমপক্ষে 10.00 হতে হবে", reason: minimum },
      { field: "interval_unit", message: "interval_unit আবশ্যক", reason: required },
    ])
    const paid = await merchant.open()
    expect((await bangla.get(`/payments/${paid.transaction_id}`)).body.payment.refund_obstacle).toEqual({
      code: "REFUND_NOT_ALLOWED",
      kind: "refusal.refund_of_success",
      message: "শুধু সফল পেমেন্টের টাকা ফেরত দেওয়া যায়",
    })
    const csv = `transaction_id,refund_amount,refund_reason\n${paid.transaction_id},0,late`
    const batch = await bangla.post("/refund-batches", { csv, dry_run: true })
    expect(batch.body.details).toEqual([
      {
        field: "lines[2].refund_amount",
        message: "লাইন ২: refund_amount 0.00 এর বেশি হতে হবে",
        reason: expect.objectContaining({ kind: "file.line" }),
      },
    ])
    for (const language of ["en", "de", "*", "fr, en;q=0.8", "en-GB, bn;q=0.5"]) {
      expect((await inLanguage(language).get("/plans/999999")).body.message).toBe("No plan was found with this id")
    }
  })

  it("of /api/v2 is English whatever is asked for", async () => {
    const answer = await merchant.call("GET", "/payments/subscription-plans/999999", undefined, {
      headers: { "Accept-Language": "bn" },
    })
    expect(answer.text).toContain("No plan was found with this id")
  })
})
