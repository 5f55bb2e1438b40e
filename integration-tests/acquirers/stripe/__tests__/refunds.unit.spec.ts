import { adapterOf, paid, refundRequest, sentTo, startStandIn, type StandIn } from "../support"

const CREATE = "POST /v1/refunds"
const LIST = "GET /v1/refunds"

let standIn: StandIn
beforeEach(async () => {
  standIn = await startStandIn()
})
afterEach(() => standIn.close())

const refunded = () => standIn.book.movements().filter(({ kind }) => kind === "refund")

describe("Stripe: refunds", () => {
  it("succeeded: done with Stripe's own amount; key, reason and metadata are sent", async () => {
    const payment = await paid(standIn)
    const request = refundRequest(standIn, payment)
    const answer = await payment.adapter.refund(request)
    const [refund] = standIn.book.refunds.values()
    expect(answer).toMatchObject({
      result: "done",
      reference: refund.id,
      amount: 25_000n,
      currency: "BDT",
      references: { refund_id: refund.id },
      details: { arrival_reference: "5550001" },
    })
    const [{ headers, params }] = sentTo(standIn, CREATE)
    expect(headers["idempotency-key"]).toBe(`refund-${request.key}`)
    expect(params).toEqual({
      payment_intent: payment.reference,
      amount: "25000",
      reason: "requested_by_customer",
      metadata: { gateway_refund: request.key, gateway_attempt: payment.key, reason: "One tin was dented" },
    })
  })

  it.each([
    ["pending", "4000000000007726", null],
    ["requires_action", "4242424242424242", "refund_requires_action"],
  ])("%s: unknown, with its id; then succeeded or failed", async (status, card, fault) => {
    const payment = await paid(standIn, card)
    const request = refundRequest(standIn, payment)
    if (fault !== null) {
      standIn.faults.next(fault)
    }
    const answer = await payment.adapter.refund(request)
    const [{ id }] = standIn.book.refunds.values()
    expect(answer).toMatchObject({
      result: "unknown",
      message: `The refund is ${status}`,
      references: { refund_id: id },
    })
    const asked = { ...request, references: answer.references ?? {} }
    expect(await payment.adapter.refundStatus(asked)).toMatchObject({ result: "unknown" })
    await standIn.account.finishRefund(id, "succeeded")
    expect(await payment.adapter.refundStatus(asked)).toMatchObject({ result: "done", amount: 25_000n })
  })

  it.each([
    ["lost_or_stolen_card", "CARD_DECLINED"],
    ["expired_or_canceled_card", "EXPIRED_CARD"],
    ["insufficient_funds", "INSUFFICIENT_BALANCE"],
    ["charge_for_pending_refund_disputed", "REFUND_NOT_ALLOWED"],
    ["unknown", "CARD_DECLINED"],
  ])("failed (%s): refused as %s", async (failure_reason, code) => {
    const payment = await paid(standIn, "4000000000007726")
    const request = refundRequest(standIn, payment)
    const { references = {} } = await payment.adapter.refund(request)
    await standIn.account.finishRefund(references.refund_id, "failed", failure_reason)
    expect(await payment.adapter.refundStatus({ ...request, references })).toMatchObject({
      result: "refused",
      code,
      details: { failure_reason },
    })
  })

  it("failed at once, and canceled: refused", async () => {
    const payment = await paid(standIn)
    standIn.faults.next("refund_failed")
    expect(await payment.adapter.refund(refundRequest(standIn, payment))).toMatchObject({ result: "refused" })
    standIn.faults.next("refund_pending")
    const request = refundRequest(standIn, payment)
    const { references = {} } = await payment.adapter.refund(request)
    await standIn.account.finishRefund(references.refund_id, "canceled")
    expect(await payment.adapter.refundStatus({ ...request, references })).toMatchObject({ result: "refused" })
  })

  it("succeeded, and failed days later: done first, then refused with the bank's reason", async () => {
    const payment = await paid(standIn, "4000000000005126")
    const request = refundRequest(standIn, payment)
    const answer = await payment.adapter.refund(request)
    expect(answer).toMatchObject({ result: "done" })
    await standIn.account.advance(5 * 86_400)
    await standIn.account.finishRefund(answer.references!.refund_id, "failed")
    const asked = { ...request, references: answer.references! }
    expect(await payment.adapter.refundStatus(asked)).toMatchObject({
      result: "refused",
      code: "EXPIRED_CARD",
      references: answer.references,
    })
    expect(refunded()).toHaveLength(0)
  })

  it("more than is left: refused, and an admin is alerted", async () => {
    const payment = await paid(standIn)
    expect(await payment.adapter.refund(refundRequest(standIn, payment, { amount: 125_051n }))).toMatchObject({
      result: "refused",
      code: "REFUND_NOT_ALLOWED",
      trouble: "bad_request",
    })
  })

  it("charge_already_refunded by somebody else: refused as ALREADY_REFUNDED", async () => {
    const payment = await paid(standIn)
    await payment.adapter.refund(refundRequest(standIn, payment, { amount: 125_050n }))
    expect(await payment.adapter.refund(refundRequest(standIn, payment))).toMatchObject({
      result: "refused",
      code: "ALREADY_REFUNDED",
    })
  })

  it("charge_already_refunded by this very refund: matched by its metadata", async () => {
    const payment = await paid(standIn)
    const request = refundRequest(standIn, payment, { amount: 125_050n })
    // Another process has made it between our look-up and our request, whose key Stripe has forgotten.
    await payment.adapter.refund(request)
    await standIn.account.advance(2 * 86_400)
    const [made] = standIn.book.refunds.values()
    standIn.book.refunds.delete(made.id)
    const asking = payment.adapter.refund(request)
    const seen = () => sentTo(standIn, LIST).length === 2
    while (!seen()) {
      await new Promise(setImmediate)
    }
    standIn.book.refunds.set(made.id, made)
    expect(await asking).toMatchObject({ result: "done", reference: made.id })
    expect(refunded()).toHaveLength(1)
  })

  it("charge_disputed: refused as REFUND_NOT_ALLOWED", async () => {
    const payment = await paid(standIn)
    standIn.faults.next("dispute")
    const answer = await payment.adapter.refund(refundRequest(standIn, payment))
    expect(answer).toMatchObject({ result: "refused", code: "REFUND_NOT_ALLOWED" })
    expect(answer).not.toHaveProperty("trouble")
  })

  it.each(["drop_before", "drop_after", "truncate"])(
    "%s: sent once more under the same key, refunded once",
    async (fault) => {
      const payment = await paid(standIn)
      standIn.faults.next(fault, { on: CREATE })
      expect(await payment.adapter.refund(refundRequest(standIn, payment))).toMatchObject({ result: "done" })
      expect(sentTo(standIn, CREATE)).toHaveLength(2)
      expect(refunded()).toHaveLength(1)
    }
  )

  it.each([
    "unauthorized",
    "forbidden",
    "rate_limited",
    "conflict",
    "maintenance",
    "html",
    "html_after",
    "empty_500",
    "error_in_200",
  ])("%s: unknown, because a refused refund is over for good; asked again, refunded once", async (fault) => {
    const payment = await paid(standIn)
    const request = refundRequest(standIn, payment)
    standIn.faults.next(fault, { on: CREATE })
    expect(await payment.adapter.refund(request)).toMatchObject({ result: "unknown" })
    expect(await payment.adapter.refund(request)).toMatchObject({ result: "done" })
    expect(refunded()).toHaveLength(1)
  })

  it("lost twice: its status is found by metadata, and a refund a week later finds it too", async () => {
    const payment = await paid(standIn)
    const request = refundRequest(standIn, payment)
    standIn.faults.next("drop_after", { times: 2, on: CREATE })
    expect(await payment.adapter.refund(request)).toMatchObject({ result: "unknown", trouble: "network" })
    expect(await payment.adapter.refundStatus(request)).toMatchObject({ result: "done" })
    await standIn.account.advance(7 * 86_400)
    expect(await payment.adapter.refund(request)).toMatchObject({ result: "done" })
    expect(refunded()).toHaveLength(1)
  })

  it("never arrived: absent", async () => {
    const payment = await paid(standIn)
    expect(await payment.adapter.refundStatus(refundRequest(standIn, payment))).toEqual({ result: "absent" })
  })

  it.each(["drop_after", "html", "maintenance", "unauthorized"])(
    "a look-up answered by %s: unknown, and nothing is sent",
    async (fault) => {
      const payment = await paid(standIn)
      standIn.faults.next(fault, { on: LIST, times: 2 })
      const request = refundRequest(standIn, payment)
      expect(await payment.adapter.refund(request)).toMatchObject({ result: "unknown" })
      expect(await payment.adapter.refundStatus(request)).toMatchObject({ result: "unknown" })
      expect(sentTo(standIn, CREATE)).toHaveLength(0)
    }
  )

  it.each([
    ["wrong_amount", { result: "done", amount: 24_900n }],
    ["wrong_currency", { result: "done", currency: "USD" }],
    ["no_amount", { result: "unknown" }],
    ["wrong_key", { result: "unknown", trouble: "bad_request" }],
  ])("%s: Stripe's own figures are reported, or none", async (fault, expected) => {
    const payment = await paid(standIn)
    standIn.faults.next(fault, { on: CREATE })
    expect(await payment.adapter.refund(refundRequest(standIn, payment))).toMatchObject(expected)
  })

  it("a test key in production: nothing is sent", async () => {
    const payment = await paid(standIn)
    const sent = standIn.book.requests.length
    const adapter = adapterOf(standIn, { environment: "production" })
    expect(await adapter.refund(refundRequest(standIn, payment))).toMatchObject({
      result: "unknown",
      trouble: "credentials",
    })
    expect(await adapter.refundStatus(refundRequest(standIn, payment))).toMatchObject({ result: "unknown" })
    expect(standIn.book.requests).toHaveLength(sent)
  })
})
