import { gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { type Admin, prepareAdmin, useAdminOf } from "../support/admin"
import { useStore } from "../support/store"
import { FORGED, LOOPBACK } from "../support/client-addresses"
import { until } from "../support/until"

const store = useStore({ production: true, prepare: prepareAdmin })
const adminOf = useAdminOf(store)
let merchant: ApiMerchant
let admin: Admin

beforeEach(async () => {
  merchant = await newMerchant(store)
  admin = adminOf(merchant)
})

describe("the log of requests", () => {
  /** The process writes its log entries together, once a second. */
  const requestsLogged = (count: number) =>
    until(`the log has ${count} requests`, async () => (await admin.get("/requests")).body.count >= count)

  it("has operation, outcome, key and duration of each, and nothing that was sent", async () => {
    const { transaction_id } = await merchant.open()
    await merchant.verify(transaction_id, { headers: { "X-Request-Id": "a-request-of-mine" } })
    await merchant.checkout({ order_amount: "1.00" })
    await merchant.call("GET", "/sandbox/clock", undefined, { key: "sk_test_of-nobody" })
    await requestsLogged(3)
    const all = await admin.get("/requests?order=requested_at")
    expect(all.body.requests.map(({ method, path, status, error_code }) => [method, path, status, error_code])).toEqual(
      [
        ["POST", "/payments/checkout", 200, null],
        ["GET", "/payments/verify/{transaction_id}", 200, null],
        ["POST", "/payments/checkout", 400, "INVALID_REQUEST"],
      ]
    )
    expect(all.body.requests[0]).toMatchObject({ key_name: "tests", key: `sk_test_…${merchant.key.slice(-4)}` })
    expect(all.body.requests[0].duration_ms).toBeGreaterThanOrEqual(0)
    expect(all.text).not.toMatch(new RegExp(`${transaction_id}|rahima|${merchant.key}`))
    expect((await admin.get("/requests?q=a-request-of-mine")).body.count).toBe(1)
    expect((await admin.get("/requests?outcome=refused&method=POST")).body.count).toBe(1)
    expect((await admin.get("/requests?outcome=failed")).body.count).toBe(0)
  })

  it("has requests that were refused after their key was known, and is forgotten after its days", async () => {
    await admin.post(`/merchants/${merchant.id}`, { status: "suspended" })
    await merchant.call("GET", "/sandbox/clock")
    await requestsLogged(1)
    expect((await admin.get("/requests")).body.requests).toMatchObject([
      { status: 403, error_code: "MERCHANT_SUSPENDED" },
    ])
    const old = new Date(Date.now() - 8 * 86_400_000)
    await store
      .db("gateway_request_log")
      .where({ merchant_id: merchant.id })
      .update({ requested_at: old, created_at: old })
    await gatewayOf(store).partitions.make()
    await gatewayOf(store).requestLog.purge()
    expect((await admin.get("/requests")).body.count).toBe(0)
  })

  it("says which address each came from, and believes no X-Forwarded-For", async () => {
    await merchant.call("GET", "/sandbox/clock", undefined, { headers: FORGED })
    await requestsLogged(1)
    const [{ address }] = (await admin.get("/requests")).body.requests
    expect(address).toMatch(LOOPBACK)
  })
})
