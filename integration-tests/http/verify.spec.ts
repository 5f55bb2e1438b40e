import { brief, CUSTOMER, gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { useStore } from "../support/store"

const store = useStore({
  production: true,
  prepare: async (booted) => {
    merchant = await newMerchant(booted)
    other = await newMerchant(booted)
  },
})
let merchant: ApiMerchant
let other: ApiMerchant

async function paid(
  changes: Record<string, unknown> = {},
  instrument: Record<string, unknown> = { payment_method: "card" }
) {
  const opened = await merchant.open(changes)
  await merchant.pay(opened.session_id, instrument)
  return opened
}

describe("contract 4.3, 2.7 — the answer of a verification", () => {
  it("a payment that succeeded: every field, and Envelope A", async () => {
    const { transaction_id, session_id } = await merchant.open({ order_id: "V-1", order_amount: 1020 })
    await merchant.pay(session_id, { payment_method: "mobile_banking", payment_service: "NAGAD" })
    const { status, body } = await merchant.verify(transaction_id)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: expect.any(String),
      data: {
        transaction_id,
        order_id: "V-1",
        verified: true,
        status: "SUCCESS",
        amount: "1020.0000",
        currency: "BDT",
        charge_amount: "15.3000",
        payment_method: "NAGAD",
        payment_reference_id: expect.stringMatching(/.+/),
        customer: { ...CUSTOMER, metadata: {} },
      },
      meta: { timestamp: expect.stringMatching(/Z$/), status_code: 200 },
    })
  })

  it("decisions: Requests — before the payment no string is null and no fee is shown", async () => {
    const { transaction_id } = await merchant.open()
    expect(await merchant.verified(transaction_id)).toMatchObject({
      verified: false,
      status: "PENDING",
      payment_method: "",
      payment_reference_id: "",
      charge_amount: "0.0000",
      amount: "1250.5000",
    })
  })

  it.each([
    ["CANCELLED", async (id: string) => void (await merchant.cancel(id))],
    [
      "FAILED",
      async (id: string) => void (await merchant.pay(id, { payment_method: "card", card_number: "4000000000000002" })),
    ],
    ["EXPIRED", async () => void (await merchant.advance(1_801))],
  ])("decisions: Requests — %s has no null either, is not verified and costs nothing", async (status, end) => {
    const { transaction_id, session_id } = await merchant.open()
    await end(session_id)
    const { text, body } = await merchant.verify(transaction_id)
    expect(text).not.toContain("null")
    expect(body.data).toMatchObject({ status, verified: false, charge_amount: "0.0000" })
  })

  it("decisions: Sandbox — a failed one adds error_code and error_message, others do not", async () => {
    const failed = await paid({}, { payment_method: "card", card_number: "4000000000009995" })
    expect(await merchant.verified(failed.transaction_id)).toMatchObject({
      error_code: "INSUFFICIENT_FUNDS",
      error_message: expect.stringMatching(/.+/),
    })
    const good = await merchant.verified((await paid()).transaction_id)
    expect(Object.keys(good)).not.toEqual(expect.arrayContaining(["error_code"]))
    expect(Object.keys(good)).not.toEqual(expect.arrayContaining(["error_message"]))
  })

  it("decisions: Checkout — customer is echoed as submitted, phone and metadata too", async () => {
    const customer = {
      ...CUSTOMER,
      name: "  রহিমা 😀 ",
      phone: "880 1712-345678",
      email: "Rahima@Example.COM",
      metadata: { vip: true, note: null, tags: ["a", ""] },
    }
    const { transaction_id } = await merchant.open({ customer: { ...customer, ignored: 1 } })
    expect((await merchant.verified(transaction_id)).customer).toEqual(customer)
  })

  it("decisions: Checkout — meta.timestamp is the clock's", async () => {
    const { transaction_id } = await other.open()
    const { body } = await other.advance(86_400)
    const { meta } = (await other.verify(transaction_id)).body
    expect(Date.parse(String(meta.timestamp))).toBeGreaterThanOrEqual(Date.parse(body.data.now))
  })

  it("HEAD answers the same headers without a body", async () => {
    const { transaction_id } = await merchant.open()
    const answer = await merchant.call("HEAD", `/payments/verify/${transaction_id}`)
    expect([answer.status, answer.text]).toEqual([200, ""])
    expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(100)
  })

  it("a trailing slash and a query string change nothing", async () => {
    const { transaction_id } = await merchant.open()
    expect((await merchant.verify(`${transaction_id}/`)).status).toBe(200)
    expect((await merchant.verify(`${transaction_id}?a=%ff&b[]=1`)).status).toBe(200)
  })
})

describe("decisions: Checkout — charge_amount by payment service", () => {
  it.each([
    ["card", undefined, "CARD", "25.0000"],
    ["mobile_banking", undefined, "BKASH", "15.0000"],
    ["mobile_banking", "ROCKET", "ROCKET", "15.0000"],
    ["mobile_banking", "UPAY", "UPAY", "15.0000"],
    ["internet_banking", undefined, "INTERNET_BANKING", "15.0000"],
    ["wallet", undefined, "WALLET", "15.0000"],
  ])("%s %s: %s takes %s of 1000.00", async (payment_method, payment_service, code, charge_amount) => {
    const { transaction_id } = await paid({ order_amount: "1000.00" }, { payment_method, payment_service })
    expect(await merchant.verified(transaction_id)).toMatchObject({
      payment_method: code,
      charge_amount,
      status: "SUCCESS",
    })
  })

  it("rounds half up to two decimals, shown with four", async () => {
    const { transaction_id } = await paid({ order_amount: "10.20" })
    expect((await merchant.verified(transaction_id)).charge_amount).toBe("0.2600")
  })

  it("follows the rate and the fixed part that are configured for the merchant", async () => {
    await store
      .db("gateway_payment_service")
      .where({ merchant_id: other.id, code: "CARD" })
      .update({ fee_basis_points: 199, fee_fixed_minor: 500 })
    const { transaction_id, session_id } = await other.open({ order_amount: "1000.00" })
    await other.pay(session_id)
    expect((await other.verified(transaction_id)).charge_amount).toBe("24.9000")
  })
})

describe("contract 2.7, decisions: Checkout — verified stays true after refunds", () => {
  const refund = (transaction_id: string, amount?: bigint) =>
    gatewayOf(store).refunds.create({
      transaction_id,
      amount,
      reason: "test",
      requested_by: "test",
      request_key: `${transaction_id}-${amount}`,
    })

  it("a partial refund leaves SUCCESS, a full one makes REFUNDED", async () => {
    const { transaction_id } = await paid({ order_amount: "1000.00" })
    await refund(transaction_id, 30_000n)
    expect(await merchant.verified(transaction_id)).toMatchObject({
      status: "SUCCESS",
      verified: true,
      amount: "1000.0000",
    })
    await refund(transaction_id)
    expect(await merchant.verified(transaction_id)).toMatchObject({
      status: "REFUNDED",
      verified: true,
      amount: "1000.0000",
      charge_amount: "25.0000",
      payment_method: "CARD",
    })
  })
})

describe("contract 4.3 — unknown transactions: 404 TRANSACTION_NOT_FOUND", () => {
  it.each([
    ["made up", `txn${"0".repeat(32)}`],
    ["an order_id", "V-1"],
    ["too short", "txn123"],
    ["in capitals", `TXN${"0".repeat(32)}`],
    ["%ff", "%ff"],
    ["%", "%"],
    ["a NUL", `txn%00${"0".repeat(31)}`],
    ["a lone surrogate", "%ed%a0%80"],
    ["a slash", `txn${"0".repeat(16)}%2F${"0".repeat(15)}`],
    ["SQL", "txn'%20OR%20'1'='1"],
    ["replacement patterns", "$&"],
    ["more replacement patterns", "$'$`$1"],
    ["dots", "..%2f..%2fcheckout"],
    ["very long", "x".repeat(1_900)],
    ["Bangla", "লেনদেন"],
  ])("%s", async (_name, id) => {
    const answer = await merchant.verify(id)
    expect(brief(answer)).toBe("404 TRANSACTION_NOT_FOUND")
    expect(answer.headers.get("content-type")).toContain("application/json")
  })

  it("an id longer than any path: 414 URI_TOO_LONG", async () => {
    expect(brief(await merchant.verify("x".repeat(4_000)))).toBe("414 URI_TOO_LONG")
  })

  it("decisions: Environments — another merchant's transaction is as unknown as a made-up one", async () => {
    const { transaction_id } = await merchant.open()
    const foreign = await other.verify(transaction_id, { headers: { "X-Request-Id": "same-request" } })
    const unknown = await other.verify(`txn${"0".repeat(32)}`, { headers: { "X-Request-Id": "same-request" } })
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe(unknown.text)
  })
})

describe("contract 4.3, decisions: Environments — on verify a missing or invalid key is UNAUTHORIZED", () => {
  it.each([
    ["missing", null],
    ["malformed", "nonsense"],
    ["unknown", `sk_test_${"a".repeat(43)}`],
  ])("%s: 401", async (_name, key) => {
    expect(brief(await merchant.verify(`txn${"0".repeat(32)}`, { key }))).toBe("401 UNAUTHORIZED")
  })

  it("a well-formed key of the other environment is 403 INVALID_ENVIRONMENT here too", async () => {
    expect(brief(await merchant.verify("txn", { key: `sk_live_${"a".repeat(43)}` }))).toBe("403 INVALID_ENVIRONMENT")
  })
})

describe("beside the contract — GET /payments", () => {
  const listed = (answer: { body: { data: unknown } }) => answer.body.data as Record<string, unknown>[]

  it("lists a merchant's own payments, newest first, unpaid ones too, with what happened to each", async () => {
    const fresh = await newMerchant(store)
    const unpaid = await fresh.open({ order_id: "L-1", order_amount: "100.00" })
    const declined = await fresh.open({ order_id: "L-2", order_amount: "300.00" })
    await fresh.pay(declined.session_id)
    const succeeded = await fresh.open({ order_id: "L-3", order_amount: "1020.00" })
    await fresh.pay(succeeded.session_id)
    const answer = await fresh.call("GET", "/payments")
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ success: true, meta: { total: 3, page: 1, per_page: 20 } })
    expect(listed(answer).map(({ transaction_id }) => transaction_id)).toEqual([
      succeeded.transaction_id,
      declined.transaction_id,
      unpaid.transaction_id,
    ])
    expect(listed(answer)[0]).toEqual({
      transaction_id: succeeded.transaction_id,
      order_id: "L-3",
      order_number: "L-3",
      status: "SUCCESS",
      amount: "1020.00",
      charge_amount: "25.50",
      refunded_amount: "0.00",
      currency: "BDT",
      payment_method: "CARD",
      error_code: null,
      customer: { name: CUSTOMER.name, email: CUSTOMER.email },
      created_at: expect.stringMatching(/Z$/),
      finished_at: expect.stringMatching(/Z$/),
    })
    expect(listed(answer)[1]).toMatchObject({ status: "FAILED", error_code: "CARD_DECLINED" })
    expect(listed(answer)[2]).toMatchObject({ status: "PENDING", payment_method: "", finished_at: null })
  })

  it("is filtered by status, search and time, and read page by page", async () => {
    const fresh = await newMerchant(store)
    const ids = (answer: { body: { data: unknown } }) => listed(answer).map(({ order_id }) => order_id)
    for (const order_id of ["F-1", "F-2", "G-3"]) {
      await fresh.open({ order_id })
    }
    const paid = await fresh.open({ order_id: "F-4" })
    await fresh.pay(paid.session_id)
    const read = (query: string) => fresh.call("GET", `/payments?${query}`)
    expect(ids(await read("status=SUCCESS"))).toEqual(["F-4"])
    expect(ids(await read("status=PENDING&q=F-"))).toEqual(["F-2", "F-1"])
    expect(ids(await read("per_page=2&page=2"))).toEqual(["F-2", "F-1"])
    expect(ids(await read("to=2020-01-01T00:00:00Z"))).toEqual([])
    await fresh.advance(3_600)
    expect(ids(await read("status=EXPIRED"))).toEqual(["G-3", "F-2", "F-1"])
  })

  it.each([
    ["status=PAID", "422 VALIDATION_ERROR status"],
    ["from=yesterday", "422 VALIDATION_ERROR from"],
    ["per_page=101", "422 VALIDATION_ERROR per_page"],
  ])("%s: %s", async (query, refusal) => {
    expect(brief(await merchant.call("GET", `/payments?${query}`))).toBe(refusal)
  })
})
