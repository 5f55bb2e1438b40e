import { Database } from "../../src/modules/gateway/kernel/database/database"
import { RefundReconciliationService } from "../../src/modules/gateway/refunds/reconciliation"
import { brief, fields, gatewayOf, newMerchant, type ApiMerchant } from "../support/api"
import { DELAYED, FAILS, INSTANT, paid, refund, refundData, refundEvents } from "../support/refunds"
import { useReceiver } from "../support/receiver"
import { useStore } from "../support/store"
import { DAY } from "../support/subscriptions"

const store = useStore({
  production: true,
  prepare: async (booted) => {
    ;[merchant, other] = [await newMerchant(booted), await newMerchant(booted)]
  },
})
const receiver = useReceiver()
let merchant: ApiMerchant
let other: ApiMerchant

const REFUND_ID = /^rfd_[0-9a-f]{28}$/
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

const status = async (owner: ApiMerchant, refund_id: string) =>
  refundData(await owner.call("GET", `/payments/refund/${refund_id}`))
const transaction = (id: string) => store.db("gateway_transaction").where({ id }).first()
const tenant = (owner: ApiMerchant) => ({ merchant_id: owner.id, environment: "sandbox" as const })

describe("contract 4.8 — POST /payments/refund", () => {
  it("answers 200 { success, data } with exactly the members of 2.13, and processing (contract 3.4)", async () => {
    const { transaction_id } = await paid(merchant)
    const answer = await refund(merchant, transaction_id, {
      refund_amount: 250.5,
      notify_customer: false,
      metadata: { ticket: "7" },
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      data: {
        refund_id: expect.stringMatching(REFUND_ID),
        transaction_id,
        refund_amount: "250.50",
        refund_status: "processing",
        estimated_completion: expect.stringMatching(ISO),
        created_at: expect.stringMatching(ISO),
      },
    })
    const row = await store
      .db("gateway_refund")
      .where({ id: refundData(answer).refund_id })
      .first()
    expect(row).toMatchObject({
      type: "partial",
      reason: "Broken",
      notify_customer: false,
      metadata: { ticket: "7" },
      request_key: null,
    })
  })

  it("decisions: Refunds — estimated_completion is 7 business days after created_at, Friday and Saturday off", async () => {
    const { created_at, estimated_completion } = refundData(
      await refund(merchant, (await paid(merchant)).transaction_id)
    )
    // Two weekends at most: seven business days from a Wednesday end eleven days later.
    const days = Array.from({ length: 11 }, (_, day) => new Date(Date.parse(created_at) + (day + 1) * DAY * 1000))
    const business = days.filter((day) => day.getUTCDay() !== 5 && day.getUTCDay() !== 6)
    expect(days.map((day) => day.toISOString())).toContain(estimated_completion)
    expect(business[6].toISOString()).toBe(estimated_completion)
  })

  it("without an amount all that remains goes back, and the transaction is REFUNDED", async () => {
    const { transaction_id } = await paid(merchant)
    expect(
      refundData(await refund(merchant, transaction_id, { refund_amount: "400.00", refund_type: "partial" }))
        .refund_amount
    ).toBe("400.00")
    expect(await merchant.verified(transaction_id)).toMatchObject({ status: "SUCCESS", verified: true })
    expect(refundData(await refund(merchant, transaction_id)).refund_amount).toBe("600.00")
    expect(await merchant.verified(transaction_id)).toMatchObject({ status: "REFUNDED", verified: true })
  })

  it.each<[string, Record<string, unknown>, string]>([
    ["full, of exactly the amount", { refund_amount: "1000.00", refund_type: "full" }, "200"],
    ["partial, of a part", { refund_amount: "0.01", refund_type: "partial" }, "200"],
    [
      "null and empty are absent",
      { refund_amount: null, refund_type: "", metadata: null, notify_customer: null },
      "200",
    ],
    [
      "full with less than what remains",
      { refund_amount: "999.98", refund_type: "full" },
      "422 VALIDATION_ERROR refund_amount",
    ],
    ["partial without an amount", { refund_type: "partial" }, "422 MISSING_REQUIRED_FIELD refund_amount"],
    ["more than the amount", { refund_amount: "1000.01" }, "400 REFUND_EXCEEDED refund_amount"],
    [
      "far more than the amount",
      { refund_amount: "9999999999999.00", refund_type: "full" },
      "400 REFUND_EXCEEDED refund_amount",
    ],
    [
      "more than any amount, which remains REFUND_EXCEEDED (decisions: Refunds)",
      { refund_amount: "1".padEnd(40, "0") },
      "400 REFUND_EXCEEDED refund_amount",
    ],
    [
      "the same as a number, partial",
      { refund_amount: 1e13, refund_type: "partial" },
      "400 REFUND_EXCEEDED refund_amount",
    ],
    ["no reason", { refund_reason: undefined }, "422 MISSING_REQUIRED_FIELD refund_reason"],
    ["an empty reason", { refund_reason: "" }, "422 MISSING_REQUIRED_FIELD refund_reason"],
    ["a reason that is too long", { refund_reason: "x".repeat(501) }, "422 VALIDATION_ERROR refund_reason"],
    ["nothing", { refund_amount: "0.00" }, "422 VALIDATION_ERROR refund_amount"],
    ["less than nothing", { refund_amount: "-1.00" }, "422 VALIDATION_ERROR refund_amount"],
    ["three decimals", { refund_amount: "1.001" }, "422 VALIDATION_ERROR refund_amount"],
    ["an unknown type", { refund_type: "half" }, "422 VALIDATION_ERROR refund_type"],
    ["notify_customer that is no flag", { notify_customer: "yes" }, "422 VALIDATION_ERROR notify_customer"],
    ["metadata that is no object", { metadata: [1] }, "422 VALIDATION_ERROR metadata"],
    ["no transaction", { transaction_id: undefined }, "422 MISSING_REQUIRED_FIELD transaction_id"],
    ["an unknown transaction", { transaction_id: `txn${"0".repeat(32)}` }, "404 TRANSACTION_NOT_FOUND"],
    ["an order_id in its place", { transaction_id: "T-1" }, "404 TRANSACTION_NOT_FOUND"],
  ])("%s: %o is %s", async (_name, changes, expected) => {
    const { transaction_id } = await paid(merchant)
    const answer = await refund(merchant, transaction_id, changes)
    expect(brief(answer)).toBe(expected)
    if (answer.status !== 200) {
      expect((await transaction(transaction_id)).refunded_minor).toBe(0)
    }
  })

  it("several failing fields are reported together, the amount that partial needs among them", async () => {
    const answer = await refund(merchant, "x", { refund_type: "partial", refund_reason: 7, notify_customer: 1 })
    expect(brief(answer)).toBe("422 VALIDATION_ERROR refund_reason")
    expect(fields(answer).sort()).toEqual(["notify_customer", "refund_amount", "refund_reason"])
  })

  it("contract 7.3 — the codes of what cannot be refunded", async () => {
    const [open, declined, gone, foreign] = [
      await merchant.open(),
      await merchant.open({ order_amount: "300.00" }),
      await paid(merchant),
      await paid(other),
    ]
    await merchant.pay(declined.session_id)
    await refund(merchant, gone.transaction_id)
    expect(brief(await refund(merchant, open.transaction_id))).toBe("400 REFUND_NOT_ALLOWED")
    expect(brief(await refund(merchant, declined.transaction_id))).toBe("400 REFUND_NOT_ALLOWED")
    expect(brief(await refund(merchant, gone.transaction_id))).toBe("409 ALREADY_REFUNDED")
    expect(brief(await refund(merchant, gone.transaction_id, { refund_amount: "5000.00" }))).toBe(
      "409 ALREADY_REFUNDED"
    )
    expect(brief(await refund(merchant, foreign.transaction_id))).toBe("404 TRANSACTION_NOT_FOUND")
    expect((await transaction(foreign.transaction_id)).refunded_minor).toBe(0)
  })

  it("REFUND_EXCEEDED says how much is left", async () => {
    const { transaction_id } = await paid(merchant)
    await refund(merchant, transaction_id, { refund_amount: "400.00" })
    expect((await refund(merchant, transaction_id, { refund_amount: "600.01" })).body.message).toBe(
      "At most 600.00 is left to refund"
    )
  })

  it("a payment service without refunds: 400 REFUND_NOT_ALLOWED", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await paid(owner)
    await store
      .db("gateway_payment_service")
      .where({ merchant_id: owner.id, code: "CARD" })
      .update({ supports_refunds: false })
    expect(brief(await refund(owner, transaction_id))).toBe("400 REFUND_NOT_ALLOWED")
  })

  it("contract 8 — 180 days by the clock, to the second: 400 REFUND_WINDOW_EXPIRED after it", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await paid(owner)
    await owner.advance(180 * DAY - 60)
    expect(brief(await refund(owner, transaction_id, { refund_amount: "1.00" }))).toBe("200")
    await owner.advance(61)
    expect(brief(await refund(owner, transaction_id))).toBe("400 REFUND_WINDOW_EXPIRED")
  })

  it("decisions: Requests — an Idempotency-Key gives the money back once, to the byte", async () => {
    const { transaction_id } = await paid(merchant)
    const headers = { "Idempotency-Key": transaction_id }
    const [first, second] = [
      await refund(merchant, transaction_id, { refund_amount: "10.00" }, headers),
      await refund(merchant, transaction_id, { refund_amount: "10.00" }, headers),
    ]
    expect([second.text, second.headers.get("idempotent-replayed")]).toEqual([first.text, "true"])
    expect((await transaction(transaction_id)).refunded_minor).toBe(1_000)
    expect(brief(await refund(merchant, transaction_id, { refund_amount: "20.00" }, headers))).toBe(
      "422 IDEMPOTENCY_KEY_REUSED Idempotency-Key"
    )
  })

  it("a process that died after the refund and before its answer: the same key finds the refund that exists", async () => {
    const { transaction_id } = await paid(merchant)
    const headers = { "Idempotency-Key": `died-${transaction_id}` }
    const first = await refund(merchant, transaction_id, { refund_amount: "10.00" }, headers)
    await store
      .db("gateway_idempotency_key")
      .where({ key: headers["Idempotency-Key"] })
      .update({ status: null, body: null, leased_until: new Date(0) })
    const again = await refund(merchant, transaction_id, { refund_amount: "10.00" }, headers)
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, null])
    expect(await store.db("gateway_refund").where({ transaction_id })).toHaveLength(1)
  })
})

describe("contract 4.8 — GET /payments/refund/{refund_id}", () => {
  it("has exactly the members of the contract", async () => {
    const { transaction_id } = await paid(merchant)
    const { refund_id, created_at } = refundData(await refund(merchant, transaction_id))
    const answer = await merchant.call("GET", `/payments/refund/${refund_id}`)
    expect(answer.body).toEqual({
      success: true,
      data: {
        refund_id,
        transaction_id,
        refund_amount: "1000.00",
        refund_status: "completed",
        completed_at: expect.stringMatching(ISO),
        created_at,
      },
    })
  })

  it.each(["rfd_unknown", "x", "%ff", "%00", "..%2f"])("%s: 404 REFUND_NOT_FOUND", async (id) => {
    expect(brief(await merchant.call("GET", `/payments/refund/${id}`))).toBe("404 REFUND_NOT_FOUND")
    expect(brief(await merchant.call("POST", `/payments/refund/${id}/cancel`))).toBe("404 REFUND_NOT_FOUND")
  })

  it("another merchant's refund is as unknown, and cannot be cancelled", async () => {
    await gatewayOf(store).merchants.configure(tenant(other), { refund_approval_threshold_minor: 0 })
    const { refund_id } = refundData(await refund(other, (await paid(other)).transaction_id))
    expect(brief(await merchant.call("GET", `/payments/refund/${refund_id}`))).toBe("404 REFUND_NOT_FOUND")
    expect(brief(await merchant.call("POST", `/payments/refund/${refund_id}/cancel`))).toBe("404 REFUND_NOT_FOUND")
    expect((await status(other, refund_id)).refund_status).toBe("pending")
    await gatewayOf(store).merchants.configure(tenant(other), { refund_approval_threshold_minor: null })
  })
})

describe("contract 4.8 sandbox behaviour, decisions: Sandbox — through the API", () => {
  it.each([
    ["an ordinary card", "1000.00", undefined, "completed"],
    ["the instant card", "1000.00", INSTANT, "completed"],
    ["the card whose refund fails", "1000.00", FAILS, "failed"],
    ["999.00", "999.00", undefined, "failed"],
    ["999.00 with the instant card", "999.00", INSTANT, "failed"],
  ])("%s, %s: processing, then %s", async (_name, amount, card, expected) => {
    const { transaction_id } = await paid(merchant, amount, card)
    const created = refundData(await refund(merchant, transaction_id))
    expect(created.refund_status).toBe("processing")
    const now = await status(merchant, created.refund_id)
    expect(now.refund_status).toBe(expected)
    expect(now.completed_at === null).toBe(expected === "failed")
    expect(now.error_code).toBe(expected === "failed" ? "REFUND_FAILED" : undefined)
    expect((await refundEvents(merchant, created.refund_id)).map(({ event_type }) => event_type).sort()).toEqual(
      [`refund.${expected}`, "refund.initiated", "refund.processing"].sort()
    )
    expect((await merchant.verified(transaction_id)).status).toBe(expected === "completed" ? "REFUNDED" : "SUCCESS")
  })

  it("what failed can be refunded again; the sum counts only what is under way or done", async () => {
    const { transaction_id } = await paid(merchant, "999.00")
    expect(brief(await refund(merchant, transaction_id))).toBe("200")
    expect((await transaction(transaction_id)).refunded_minor).toBe(0)
    expect(brief(await refund(merchant, transaction_id))).toBe("200")
  })

  it("the delayed card: processing for 24 hours of the clock, then completed at that very moment", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await paid(owner, "1000.00", DELAYED)
    const { refund_id, created_at } = refundData(await refund(owner, transaction_id, { refund_amount: "600.00" }))
    await owner.advance(DAY - 100)
    expect((await status(owner, refund_id)).refund_status).toBe("processing")
    expect(brief(await refund(owner, transaction_id, { refund_amount: "400.01" }))).toBe(
      "400 REFUND_EXCEEDED refund_amount"
    )
    expect((await owner.advance(200)).body.data.processed).toMatchObject({ reconciled_refunds: 1 })
    const done = await status(owner, refund_id)
    expect(done.refund_status).toBe("completed")
    const took = Date.parse(done.completed_at ?? "") - Date.parse(created_at)
    expect(took).toBeGreaterThanOrEqual(DAY * 1000)
    expect(took).toBeLessThan((DAY + 30) * 1000)
  })
})

describe("the log of background work", () => {
  it("names the request that asked for the refund", async () => {
    const owner = await newMerchant(store)
    const asked: string[] = []
    for (const request of ["caller-refund-1", "caller-refund-2"]) {
      const { transaction_id } = await paid(owner, "10.00", DELAYED)
      const json = { transaction_id, refund_reason: "Broken" }
      const answer = await owner.call("POST", "/payments/refund", json, { headers: { "X-Request-Id": request } })
      asked.push(`gateway: inquiry about refund ${refundData(answer).refund_id} (request ${request}) failed`)
    }
    const logged: string[] = []
    const log = (text: string) => void logged.push(text.split(",")[0])
    const inquiries = new RefundReconciliationService({
      database: new Database(store.db),
      logger: { warn: log, error: log },
      refundService: { inquire: () => Promise.reject(new Error("no line")) },
    } as unknown as ConstructorParameters<typeof RefundReconciliationService>[0])
    await inquiries.run(10, { merchant_id: owner.id, until: new Date(Date.now() + 30 * DAY * 1000) })
    expect([...new Set(logged)].sort()).toEqual(asked.sort())
  })
})

describe("contract 6.2 — refund events", () => {
  it("{ event, timestamp, data } with event_id, delivered with what remains at that moment", async () => {
    const owner = await newMerchant(store)
    await owner.call("POST", "/merchants/webhooks", {
      endpoint_url: `${receiver.url}/refunds`,
      event_types: ["refund.initiated", "refund.processing", "refund.completed", "refund.failed", "refund.cancelled"],
    })
    const { transaction_id } = await paid(owner)
    const { refund_id } = refundData(await refund(owner, transaction_id, { refund_amount: "250.00" }))
    await owner.advance(1)
    const bodies = receiver.at("/refunds").map(({ body }) => body)
    const data = {
      refund_id,
      transaction_id,
      refund_amount: "250.00",
      original_amount: "1000.00",
      remaining_amount: "750.00",
    }
    const shape = (event: string, refund_status: string) => ({
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event,
      timestamp: expect.stringMatching(ISO),
      data: { ...data, refund_status },
    })
    expect(bodies).toHaveLength(3)
    expect(bodies).toEqual(
      expect.arrayContaining([
        shape("refund.initiated", "processing"),
        shape("refund.processing", "processing"),
        shape("refund.completed", "completed"),
      ])
    )
  })
})

describe("contract 4.8 — GET /payments/refunds", () => {
  let owner: ApiMerchant
  const made: string[] = []
  let today: string

  const listed = async (query: string) => refundData(await owner.call("GET", `/payments/refunds${query}`))
  const ids = async (query: string) => (await listed(query)).refunds.map(({ refund_id }) => refund_id)
  const day = (offset: number) => new Date(Date.parse(today) + offset * DAY * 1000).toISOString().slice(0, 10)

  beforeAll(async () => {
    owner = await newMerchant(store)
    const first = await paid(owner)
    const midnight =
      Date.parse(`${(await owner.call("GET", "/sandbox/clock")).body.data.now.slice(0, 10)}T00:00:00Z`) + DAY * 1000
    await owner.call("POST", "/sandbox/clock", { now: new Date(midnight + 1_000).toISOString() })
    today = new Date(midnight).toISOString().slice(0, 10)
    made.push(refundData(await refund(owner, first.transaction_id, { refund_amount: "1.00" })).refund_id)
    made.push(refundData(await refund(owner, (await paid(owner, "999.00")).transaction_id)).refund_id)
    await owner.call("POST", "/sandbox/clock", { now: new Date(midnight + DAY * 1000 + 1_000).toISOString() })
    made.push(refundData(await refund(owner, first.transaction_id, { refund_amount: "2.00" })).refund_id)
  })

  it("newest first, with exactly the members of the contract", async () => {
    const answer = await owner.call("GET", "/payments/refunds")
    const newest = {
      refund_id: made[2],
      transaction_id: expect.any(String),
      refund_amount: "2.00",
      refund_status: "completed",
      created_at: expect.stringMatching(ISO),
    }
    expect(answer.body).toEqual({
      success: true,
      data: { refunds: expect.any(Array), pagination: { page: 1, limit: 20, total: 3, pages: 1 } },
    })
    expect(refundData(answer).refunds[0]).toEqual(newest)
    expect(await ids("")).toEqual([...made].reverse())
  })

  it("by status, and by days of the merchant's clock in UTC, both ends included", async () => {
    expect(await ids("?status=failed")).toEqual([made[1]])
    expect(await ids("?status=pending")).toEqual([])
    expect(await ids(`?from_date=${today}&to_date=${today}`)).toEqual([made[1], made[0]])
    expect(await ids(`?from_date=${day(1)}`)).toEqual([made[2]])
    expect(await ids(`?to_date=${day(-1)}`)).toEqual([])
    expect(await ids(`?to_date=${day(0)}&status=completed`)).toEqual([made[0]])
    expect(await ids("?status=&from_date=&to_date=")).toHaveLength(3)
  })

  it("page and limit", async () => {
    expect((await listed("?limit=2&page=2")).pagination).toEqual({ page: 2, limit: 2, total: 3, pages: 2 })
    expect(await ids("?limit=2&page=2")).toEqual([made[0]])
    expect(await ids("?limit=2&page=9")).toEqual([])
    expect((await listed("?status=pending")).pagination).toEqual({ page: 1, limit: 20, total: 0, pages: 0 })
  })

  it.each([
    ["from_date=2026-02-30", "422 INVALID_DATE_FORMAT from_date"],
    ["to_date=30-11-2026", "422 INVALID_DATE_FORMAT to_date"],
    ["from_date=2026-11-30T00:00:00Z", "422 INVALID_DATE_FORMAT from_date"],
    ["from_date=2026-1-1", "422 INVALID_DATE_FORMAT from_date"],
    ["from_date=2026-01-01&from_date=2026-01-02", "422 INVALID_DATE_FORMAT from_date"],
    ["from_date=2026-02-01&to_date=2026-01-31", "422 VALIDATION_ERROR to_date"],
    ["status=COMPLETED", "422 VALIDATION_ERROR status"],
    ["page=0", "422 VALIDATION_ERROR page"],
    ["limit=101", "422 VALIDATION_ERROR limit"],
    ["limit=0", "422 VALIDATION_ERROR limit"],
  ])("?%s: %s", async (query, expected) => {
    expect(brief(await owner.call("GET", `/payments/refunds?${query}`))).toBe(expected)
  })

  it("all failures are reported at once", async () => {
    const answer = await owner.call("GET", "/payments/refunds?from_date=x&to_date=y&status=z&page=0&limit=0")
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"])
    expect(fields(answer).sort()).toEqual(["from_date", "limit", "page", "status", "to_date"])
  })
})

describe("contract 4.8, decisions: Refunds — POST /payments/refunds/batch", () => {
  const batch = (owner: ApiMerchant, refunds: unknown, headers?: Record<string, string>) =>
    owner.call("POST", "/payments/refunds/batch", { refunds }, { headers })
  const progress = async (owner: ApiMerchant, id: string) =>
    refundData(await owner.call("GET", `/payments/refunds/batch/${id}`))

  it("each item is pending or failed on its own, in the order sent; the queue carries them out; progress can be read", async () => {
    const owner = await newMerchant(store)
    const [one, two, bad] = [await paid(owner), await paid(owner), await paid(owner, "999.00")]
    const item = (transaction_id: string, refund_amount?: string) => ({
      transaction_id,
      refund_amount,
      refund_reason: "Recall",
    })
    const answer = await batch(owner, [
      item(one.transaction_id, "400.00"),
      item(one.transaction_id, "700.00"),
      item(`txn${"0".repeat(32)}`, "1.00"),
      item(bad.transaction_id, "999.00"),
      item(two.transaction_id),
      item(one.transaction_id, "600.00"),
    ])
    const data = refundData(answer)
    expect(answer.body).toMatchObject({
      success: true,
      data: { batch_id: expect.stringMatching(/^rfb_/), total_refunds: 6, successful: 4, failed: 2 },
    })
    expect(
      data.refunds.map(({ transaction_id, status: state, error }) => [transaction_id, state, error?.code])
    ).toEqual([
      [one.transaction_id, "pending", undefined],
      [one.transaction_id, "failed", "REFUND_EXCEEDED"],
      [`txn${"0".repeat(32)}`, "failed", "TRANSACTION_NOT_FOUND"],
      [bad.transaction_id, "pending", undefined],
      [two.transaction_id, "pending", undefined],
      [one.transaction_id, "pending", undefined],
    ])
    expect(data.refunds.map(({ refund_id }) => refund_id !== null)).toEqual([true, false, false, true, true, true])
    expect((await owner.advance(5)).body.data.processed).toMatchObject({ batch_refunds: 4 })
    const after = await progress(owner, data.batch_id)
    expect(after).toMatchObject({
      total_refunds: 6,
      successful: 3,
      failed: 3,
      progress: { pending: 0, processing: 0, completed: 3, failed: 3, cancelled: 0 },
    })
    expect(after.refunds[3]).toMatchObject({ status: "failed", error: { code: "REFUND_FAILED" } })
    expect((await owner.verified(one.transaction_id)).status).toBe("REFUNDED")
    expect((await owner.advance(5)).body.data.processed).toMatchObject({ batch_refunds: 0 })
  })

  it("decisions: Found by real clients: an item stays pending for five seconds of the merchant's clock", async () => {
    const owner = await newMerchant(store)
    await owner.advance(86_400)
    const { transaction_id } = await paid(owner)
    const { batch_id, refunds } = refundData(await batch(owner, [{ transaction_id, refund_reason: "x" }]))
    const { requested_at } = await store.db("gateway_refund").where({ id: refunds[0].refund_id }).first()
    const at = (milliseconds: number) => new Date(requested_at.getTime() + milliseconds)
    const workOff = (until: Date) => gatewayOf(store).refundBatches.workOff(50, { merchant_id: owner.id, until })
    expect(await gatewayOf(store).refundBatches.nextDue(owner.id)).toEqual(at(5_000))
    expect([await workOff(at(0)), await workOff(at(4_999))]).toEqual([0, 0])
    expect((await progress(owner, batch_id)).progress).toMatchObject({ pending: 1 })
    expect(await workOff(at(5_000))).toBe(1)
    expect((await progress(owner, batch_id)).progress).toMatchObject({ completed: 1 })
    expect(await gatewayOf(store).refundBatches.nextDue(owner.id)).toBeNull()
  })

  it("a pending item can be cancelled before its turn, and is not carried out then", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await paid(owner)
    const { batch_id, refunds } = refundData(await batch(owner, [{ transaction_id, refund_reason: "x" }]))
    expect(brief(await owner.call("POST", `/payments/refund/${refunds[0].refund_id}/cancel`))).toBe("200")
    await expect(
      gatewayOf(store).refunds.approve(tenant(owner), refunds[0].refund_id as string, null)
    ).rejects.toMatchObject({ code: "INVALID_STATE_TRANSITION" })
    await owner.advance(5)
    expect(await progress(owner, batch_id)).toMatchObject({ successful: 0, failed: 0, progress: { cancelled: 1 } })
    expect((await transaction(transaction_id)).refunded_minor).toBe(0)
  })

  it("an item above the threshold waits for approval, not for its turn", async () => {
    const owner = await newMerchant(store)
    await gatewayOf(store).merchants.configure(tenant(owner), { refund_approval_threshold_minor: 50_000 })
    const { transaction_id } = await paid(owner)
    const { batch_id, refunds } = refundData(await batch(owner, [{ transaction_id, refund_reason: "x" }]))
    expect((await owner.advance(5)).body.data.processed).toMatchObject({ batch_refunds: 0 })
    await gatewayOf(store).refunds.approve(tenant(owner), refunds[0].refund_id as string, null)
    expect((await progress(owner, batch_id)).progress).toMatchObject({ completed: 1 })
  })

  it.each<[string, unknown, string]>([
    ["no list", undefined, "422 MISSING_REQUIRED_FIELD refunds"],
    ["no array", { transaction_id: "x" }, "422 VALIDATION_ERROR refunds"],
    ["an empty list", [], "422 VALIDATION_ERROR refunds"],
    [
      "101 items",
      Array(101).fill({ transaction_id: "x", refund_amount: "1.00", refund_reason: "x" }),
      "422 VALIDATION_ERROR refunds",
    ],
    [
      "an item without reason",
      [{ transaction_id: "x", refund_amount: "1.00" }],
      "422 MISSING_REQUIRED_FIELD refunds[0].refund_reason",
    ],
    [
      "the second malformed",
      [
        { transaction_id: "x", refund_reason: "x" },
        { transaction_id: "x", refund_amount: "1.234", refund_reason: "x" },
      ],
      "422 VALIDATION_ERROR refunds[1].refund_amount",
    ],
    ["an item that is no object", ["x"], "422 VALIDATION_ERROR refunds[0]"],
    ["an item that is null", [null], "422 VALIDATION_ERROR refunds[0]"],
  ])("%s: the whole batch is refused", async (_name, refunds, expected) => {
    expect(brief(await batch(merchant, refunds))).toBe(expected)
  })

  it("100 items are accepted; nothing of a refused batch is kept", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await paid(owner)
    const items = Array(100).fill({ transaction_id, refund_amount: "1.00", refund_reason: "x" })
    expect(brief(await batch(owner, [...items.slice(1), {}]))).toBe("422 VALIDATION_ERROR refunds[99].transaction_id")
    expect((await transaction(transaction_id)).refunded_minor).toBe(0)
    expect(refundData(await batch(owner, items))).toMatchObject({ total_refunds: 100, successful: 100, failed: 0 })
    expect((await transaction(transaction_id)).refunded_minor).toBe(10_000)
  })

  it("an Idempotency-Key whose answer was lost with a process finds the batch that exists", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await paid(owner)
    const headers = { "Idempotency-Key": "batch" }
    const items = [{ transaction_id, refund_amount: "10.00", refund_reason: "x" }]
    const first = refundData(await batch(owner, items, headers))
    await store
      .db("gateway_idempotency_key")
      .where({ merchant_id: owner.id, key: "batch" })
      .update({ status: null, body: null, leased_until: new Date(0) })
    expect(refundData(await batch(owner, items, headers)).batch_id).toBe(first.batch_id)
    expect((await transaction(transaction_id)).refunded_minor).toBe(1_000)
  })

  it("an unknown batch, and another merchant's: 404 REFUND_BATCH_NOT_FOUND", async () => {
    const { transaction_id } = await paid(other)
    const { batch_id } = refundData(await batch(other, [{ transaction_id, refund_reason: "x" }]))
    expect(brief(await merchant.call("GET", `/payments/refunds/batch/${batch_id}`))).toBe("404 REFUND_BATCH_NOT_FOUND")
    expect(brief(await merchant.call("GET", "/payments/refunds/batch/x"))).toBe("404 REFUND_BATCH_NOT_FOUND")
  })

  it("design: Background work — a worker that died: its items are taken by the next when the lease has run out", async () => {
    const owner = await newMerchant(store)
    const { transaction_id } = await paid(owner)
    const { refunds } = refundData(await batch(owner, [{ transaction_id, refund_reason: "x" }]))
    const row = store.db("gateway_refund").where({ id: refunds[0].refund_id })
    await row.clone().update({ lock_token: "of-the-dead", locked_until: new Date(Date.now() + 60_000) })
    const only = { merchant_id: owner.id, until: new Date(Date.now() + 5_000) }
    expect([
      await gatewayOf(store).refundBatches.workOff(50, only),
      await gatewayOf(store).refundBatches.nextDue(owner.id),
    ]).toEqual([0, null])
    await row.clone().update({ locked_until: new Date(0) })
    const taken = await Promise.all(Array.from({ length: 8 }, () => gatewayOf(store).refundBatches.workOff(50, only)))
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(await store.db("gateway_sandbox_operation").where({ key: refunds[0].refund_id })).toMatchObject([
      { tries: 1 },
    ])
  })
})

describe("decisions: Environments — who may refund", () => {
  it("a suspended merchant asks for none, but money that an admin gives back, or that was accepted before, goes back", async () => {
    const owner = await newMerchant(store)
    const [first, second] = [await paid(owner), await paid(owner)]
    const batch = await owner.call("POST", "/payments/refunds/batch", {
      refunds: [{ transaction_id: second.transaction_id, refund_amount: "10.00", refund_reason: "Broken" }],
    })
    expect(batch.status).toBe(200)
    await gatewayOf(store).merchants.update(owner.id, { status: "suspended" })
    expect(brief(await refund(owner, first.transaction_id))).toBe("403 MERCHANT_SUSPENDED")
    const made = await gatewayOf(store).refunds.create({
      transaction_id: first.transaction_id,
      tenant: tenant(owner),
      reason: "Broken",
      requested_by: "admin",
      request_key: null,
    })
    expect([made.state, (await transaction(first.transaction_id)).state]).toEqual(["completed", "REFUNDED"])
    await gatewayOf(store).clock.move(tenant(owner), { advance_seconds: 60 })
    expect(await gatewayOf(store).refunds.list(second.transaction_id)).toMatchObject([
      { state: "completed", amount_minor: 1_000 },
    ])
  })

  it("a merchant without the service: 403 SERVICE_NOT_ENABLED on every refund operation", async () => {
    const owner = await newMerchant(store)
    await gatewayOf(store).merchants.configure(tenant(owner), { services: ["checkout"] })
    const calls = [
      ["POST", "/payments/refund"],
      ["GET", "/payments/refund/x"],
      ["POST", "/payments/refund/x/cancel"],
      ["GET", "/payments/refunds"],
      ["POST", "/payments/refunds/batch"],
      ["GET", "/payments/refunds/batch/x"],
    ]
    const answers = await Promise.all(
      calls.map(([method, path]) => owner.call(method, path, method === "POST" ? {} : undefined))
    )
    expect(answers.map(brief)).toEqual(Array(6).fill("403 SERVICE_NOT_ENABLED"))
  })
})
