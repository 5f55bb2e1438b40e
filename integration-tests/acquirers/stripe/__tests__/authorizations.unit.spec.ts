import type { PaymentRequest } from "../../../../src/modules/gateway/acquirers/port"
import {
  aboutCharge,
  adapterOf,
  authorizationOf,
  captureOf,
  chargeRequest,
  keptCard,
  paid,
  payment,
  question,
  refundRequest,
  sentTo,
  startStandIn,
  started,
  type Intent,
  type StandIn,
} from "../support"

const CAPTURE = "POST /v1/payment_intents/:id/capture"
const CANCEL = "POST /v1/payment_intents/:id/cancel"
const RETRIEVE = "GET /v1/payment_intents/:id"
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

let standIn: StandIn
beforeEach(async () => {
  standIn = await startStandIn()
})
afterEach(() => standIn.close())

async function reserved(changes: Partial<PaymentRequest> = {}) {
  const made = await paid(standIn, "4242424242424242", { authorize_only: true, ...changes })
  const authorization = authorizationOf(standIn, made)
  return { ...made, authorization, authorizing: made.adapter.authorizing, intent: intentOf(made.reference) }
}

function intentOf(id: string): Intent {
  return standIn.book.payment_intents.get(id)!
}

function movements(): unknown[] {
  return standIn.book.movements().map(({ kind, amount }) => `${kind} ${amount}`)
}

describe("Stripe: money that is only reserved", () => {
  it("is asked for with capture_method manual, and moves nothing", async () => {
    const { answer, intent, request } = await reserved()
    expect(intent).toMatchObject({ capture_method: "manual", status: "requires_capture", amount_received: 0 })
    expect(answer).toMatchObject({
      result: "done",
      reference: intent.id,
      amount: 125_050n,
      currency: "BDT",
      instrument: { brand: "VISA", last_four: "4242" },
      authorized: { is_single: true },
    })
    const left = answer.authorized!.capture_before.getTime() - request.now.getTime()
    expect(left).toBeGreaterThan(7 * DAY_MS - HOUR_MS - 60_000)
    expect(left).toBeLessThanOrEqual(7 * DAY_MS - HOUR_MS + 60_000)
    expect(movements()).toEqual([])
  })

  it("a payment that is taken at once says nothing about a capture method", async () => {
    const { answer } = await paid(standIn)
    expect(answer).not.toHaveProperty("authorized")
    expect(sentTo(standIn, "POST /v1/checkout/sessions")[0].params.payment_intent_data).not.toHaveProperty(
      "capture_method"
    )
    expect(movements()).toEqual(["payment 125050"])
  })

  it("a card is kept with it, and a saved card reserves money without the shopper, for a shorter time", async () => {
    const { answer } = await reserved({ keep: true })
    const request = chargeRequest(standIn, answer.kept!.token, { authorize_only: true })
    const adapter = adapterOf(standIn)
    const charged = await adapter.charge(request)
    expect(charged).toMatchObject({ result: "done", amount: 99_900n, authorized: { is_single: true } })
    const { authorized, reference } = charged as { authorized: { capture_before: Date }; reference: string }
    const hours = (authorized.capture_before.getTime() - request.now.getTime()) / HOUR_MS
    expect(Math.round(hours)).toBe(4 * 24 + 18 - 1)
    expect(await adapter.query(aboutCharge(standIn, request, charged.references))).toMatchObject({
      result: "done",
      authorized: { is_single: true },
    })
    expect(await adapter.charge(request)).toMatchObject({ result: "done", reference })
    const capture = captureOf(authorizationOf(standIn, { request, reference }))
    expect(await adapter.authorizing.capture(capture)).toMatchObject({ result: "done", amount: 99_900n })
    expect(movements()).toEqual(["payment 99900"])
  })

  it("a saved card without capture_before: four days and 18 hours, the shortest time of a bank", async () => {
    const request = chargeRequest(standIn, await keptCard(standIn), { authorize_only: true })
    standIn.faults.next("no_capture_before")
    const { authorized } = (await adapterOf(standIn).charge(request)) as { authorized: { capture_before: Date } }
    const hours = (authorized.capture_before.getTime() - request.now.getTime()) / HOUR_MS
    expect(Math.round(hours)).toBe(113)
  })

  it("late: an abandoned session that was paid after all comes back as reserved money", async () => {
    const { adapter, request, references, session } = await started(standIn, { authorize_only: true })
    standIn.faults.next("paid_before_expire")
    expect(await adapter.abandon(question(request, references))).toMatchObject({
      result: "done",
      reference: session.payment_intent,
      authorized: { is_single: true },
    })
  })

  it.each(["wrong_amount", "wrong_currency", "no_amount"])("%s: never what was asked for", async (fault) => {
    const { adapter, request, references, session } = await started(standIn, { authorize_only: true })
    await standIn.account.payOnPage(session.id, "4242424242424242")
    standIn.faults.next(fault)
    const answer = await adapter.query(question(request, references))
    expect(answer).not.toMatchObject({ amount: 125_050n, currency: "BDT" })
  })
})

describe("Stripe: capturing", () => {
  it("all of it: done with what Stripe has received, under the capture's own key", async () => {
    const { authorizing, authorization, intent } = await reserved()
    const capture = captureOf(authorization)
    const done = { result: "done", reference: intent.id, amount: 125_050n, currency: "BDT" }
    expect(await authorizing.captureStatus(capture)).toEqual({ result: "absent" })
    expect(await authorizing.capture(capture)).toEqual(done)
    expect(await authorizing.captureStatus(capture)).toEqual(done)
    const [{ headers, params }] = sentTo(standIn, CAPTURE)
    expect(headers["idempotency-key"]).toBe(`capture-${capture.key}`)
    expect(params).toEqual({ amount_to_capture: "125050", metadata: { gateway_capture: capture.key } })
    expect(intent.metadata).toMatchObject({ gateway_attempt: authorization.key, gateway_capture: capture.key })
    expect(movements()).toEqual(["payment 125050"])
  })

  it("the same key again answers the same, within a day and after it, and moves nothing", async () => {
    const { authorizing, authorization } = await reserved()
    const capture = captureOf(authorization, { amount: 100_000n })
    const first = await authorizing.capture(capture)
    expect(await authorizing.capture(capture)).toEqual(first)
    await standIn.account.advance(2 * 86_400)
    expect(await authorizing.capture(capture)).toEqual(first)
    expect(movements()).toEqual(["payment 100000"])
  })

  it("a part: Stripe releases the rest, and refunds are bounded by the part", async () => {
    const { adapter, authorizing, authorization, intent, key, reference } = await reserved()
    expect(await authorizing.capture(captureOf(authorization, { amount: 100_000n }))).toMatchObject({
      result: "done",
      amount: 100_000n,
    })
    expect(intent).toMatchObject({ status: "succeeded", amount_received: 100_000, amount_capturable: 0 })
    const refund = (amount: bigint) => adapter.refund(refundRequest(standIn, { key, reference }, { amount }))
    expect(await refund(100_001n)).toMatchObject({ result: "refused" })
    expect(await refund(100_000n)).toMatchObject({ result: "done", amount: 100_000n })
    expect(movements()).toEqual(["payment 100000", "refund 100000"])
    const { amount } = await standIn.account.dispute(intent.id)
    expect(amount).toBe(100_000)
  })

  it("a second capture, and one of more than is reserved, are refused", async () => {
    const { authorizing, authorization } = await reserved()
    const tooMuch = captureOf(authorization, { amount: 125_051n })
    expect(await authorizing.capture(tooMuch)).toMatchObject({
      result: "refused",
      code: "CAPTURE_FAILED",
      trouble: "bad_request",
    })
    await authorizing.capture(captureOf(authorization, { amount: 100_000n }))
    expect(await authorizing.capture(captureOf(authorization, { amount: 25_050n }))).toMatchObject({
      result: "refused",
      code: "CAPTURE_FAILED",
    })
    expect(movements()).toEqual(["payment 100000"])
  })

  it("a bank that declines it: refused with its code, and the money stays reserved", async () => {
    const { authorizing, authorization, intent } = await reserved()
    standIn.faults.next("capture_declined")
    const capture = captureOf(authorization)
    expect(await authorizing.capture(capture)).toMatchObject({ result: "refused", code: "CARD_DECLINED" })
    expect(intent.status).toBe("requires_capture")
    expect(await authorizing.release(authorization)).toEqual({ result: "released" })
  })

  it.each(["drop_before", "drop_after", "truncate", "html", "html_after", "empty_500"])(
    "%s: settled by the payment intent, and captured once",
    async (fault) => {
      const { authorizing, authorization } = await reserved()
      const capture = captureOf(authorization)
      standIn.faults.next(fault, { on: CAPTURE, times: 2 })
      const wasCarriedOut = ["drop_after", "truncate", "html_after", "empty_500"].includes(fault)
      const first = await authorizing.capture(capture)
      expect(first.result).toBe(wasCarriedOut ? "done" : "unknown")
      standIn.faults.clear()
      const status = await authorizing.captureStatus(capture)
      expect(status.result).toBe(wasCarriedOut ? "done" : "absent")
      const again = { ...capture, references: first.references ?? {} }
      expect(await authorizing.capture(again)).toMatchObject({ result: "done", amount: 125_050n })
      expect(movements()).toEqual(["payment 125050"])
    }
  )

  it("carried out, and neither it nor the question is answered: unknown, then done", async () => {
    const { authorizing, authorization } = await reserved()
    const capture = captureOf(authorization, { amount: 100_000n })
    standIn.faults.next("drop_after", { on: CAPTURE, times: 2 })
    standIn.faults.next("maintenance", { on: RETRIEVE, times: 2 })
    expect(await authorizing.capture(capture)).toMatchObject({ result: "unknown", trouble: "network" })
    expect(await authorizing.captureStatus(capture)).toMatchObject({ result: "unknown", trouble: "maintenance" })
    expect(await authorizing.captureStatus(capture)).toMatchObject({ result: "done", amount: 100_000n })
    expect(movements()).toEqual(["payment 100000"])
  })

  it("a failure that Stripe keeps under the key is not repeated for a day: the next try has a key of its own", async () => {
    const { authorizing, authorization } = await reserved()
    const capture = captureOf(authorization)
    standIn.faults.next("api_error", { on: CAPTURE })
    const failed = await authorizing.capture(capture)
    expect(failed).toMatchObject({ result: "unknown", references: { tries: "1" } })
    expect(await authorizing.capture({ ...capture, references: failed.references! })).toMatchObject({ result: "done" })
    expect(sentTo(standIn, CAPTURE).map(({ headers }) => headers["idempotency-key"])).toEqual([
      `capture-${capture.key}`,
      `capture-${capture.key}-2`,
    ])
  })

  it.each(["unauthorized", "forbidden", "rate_limited", "lock_timeout", "conflict", "maintenance"])(
    "%s is no refusal of a capture: an earlier request may have been carried out",
    async (fault) => {
      const { authorizing, authorization } = await reserved()
      standIn.faults.next(fault, { on: CAPTURE })
      expect(await authorizing.capture(captureOf(authorization))).toMatchObject({ result: "unknown" })
      expect(movements()).toEqual([])
    }
  )

  it("captured in the dashboard: the same amount is ours, another one is refused, and query says what moved", async () => {
    for (const [amount, result] of [
      [100_000, "done"],
      [90_000, "refused"],
    ] as const) {
      const { adapter, authorizing, authorization, request, references, intent } = await reserved()
      await standIn.account.captureOutside(intent.id, amount)
      const capture = captureOf(authorization, { amount: 100_000n })
      expect(await authorizing.captureStatus(capture)).toMatchObject({ result })
      expect(await authorizing.capture(capture)).toMatchObject({ result })
      const seen = await adapter.query(question(request, references))
      expect(seen).toMatchObject({ result: "done", amount: BigInt(amount) })
      expect(seen).not.toHaveProperty("authorized")
      expect(await authorizing.release(authorization)).toMatchObject({ result: "refused" })
    }
  })

  it("canceled in the dashboard: refused, and query says that nothing has moved", async () => {
    const { adapter, authorizing, authorization, request, references, intent } = await reserved()
    await standIn.account.cancelOutside(intent.id)
    expect(await authorizing.captureStatus(captureOf(authorization))).toMatchObject({ result: "refused" })
    expect(await authorizing.capture(captureOf(authorization))).toMatchObject({ result: "refused" })
    expect(await adapter.query(question(request, references))).toMatchObject({ result: "refused" })
    expect(await authorizing.release(authorization)).toEqual({ result: "released" })
  })

  it("its time is up: nothing can be captured an hour before Stripe lets it go", async () => {
    const { answer, authorizing, authorization, intent, request } = await reserved()
    const until = answer.authorized!.capture_before.getTime() - request.now.getTime()
    await standIn.account.advance(until / 1_000)
    expect(intent.status).toBe("requires_capture")
    await standIn.account.advance(3_700)
    expect(intent).toMatchObject({ status: "canceled", cancellation_reason: "automatic" })
    expect(await authorizing.capture(captureOf(authorization))).toMatchObject({ result: "refused" })
    expect(await authorizing.release(authorization)).toEqual({ result: "released" })
    expect(movements()).toEqual([])
  })
})

describe("Stripe: releasing", () => {
  it("cancels the payment intent; once more is the same", async () => {
    const { authorizing, authorization, intent } = await reserved()
    expect(await authorizing.release(authorization)).toEqual({ result: "released" })
    expect(intent).toMatchObject({ status: "canceled", amount_capturable: 0 })
    expect(await authorizing.release(authorization)).toEqual({ result: "released" })
    expect(sentTo(standIn, CANCEL)).toHaveLength(1)
    expect(movements()).toEqual([])
  })

  it.each([
    ["drop_before", "unknown"],
    ["drop_after", "released"],
    ["maintenance", "unknown"],
    ["unauthorized", "unknown"],
    ["html_after", "released"],
  ])("%s: %s, then released", async (fault, result) => {
    const { authorizing, authorization } = await reserved()
    standIn.faults.next(fault, { on: CANCEL })
    expect((await authorizing.release(authorization)).result).toBe(result)
    expect(await authorizing.release(authorization)).toEqual({ result: "released" })
  })

  it("an unanswered question is no release, and a payment intent of another attempt is left alone", async () => {
    const { authorizing, authorization, intent } = await reserved()
    standIn.faults.next("maintenance", { on: RETRIEVE })
    expect(await authorizing.release(authorization)).toMatchObject({ result: "unknown", trouble: "maintenance" })
    const other = { ...authorization, key: payment(standIn).key }
    expect(await authorizing.release(other)).toMatchObject({ result: "unknown", trouble: "bad_request" })
    expect(await authorizing.captureStatus(captureOf(other))).toMatchObject({ result: "unknown" })
    expect(intent.status).toBe("requires_capture")
  })

  it("a live key in a sandbox: nothing is sent", async () => {
    const { authorization } = await reserved()
    const { authorizing } = adapterOf(standIn, { secret_key: "sk_live_1" })
    const sent = standIn.book.requests.length
    const wrong = { result: "unknown", trouble: "credentials" }
    expect(await authorizing.capture(captureOf(authorization))).toMatchObject(wrong)
    expect(await authorizing.captureStatus(captureOf(authorization))).toMatchObject(wrong)
    expect(await authorizing.release(authorization)).toMatchObject(wrong)
    expect(standIn.book.requests).toHaveLength(sent)
  })
})
