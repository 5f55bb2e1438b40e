import Stripe from "stripe"
import { answerOfCharge, answerOfSession } from "../../../../src/modules/gateway/acquirers/stripe/answers"
import { answerOfCapture, answerOfRelease } from "../../../../src/modules/gateway/acquirers/stripe/authorizations"
import { declineOf } from "../../../../src/modules/gateway/acquirers/stripe/codes"
import { failureOf } from "../../../../src/modules/gateway/acquirers/stripe/failures"
import {
  keptCardOf,
  minorOf,
  tokenOf,
  type Intent,
  type Session,
} from "../../../../src/modules/gateway/acquirers/stripe/objects"

const NOW = new Date("2026-11-22T10:00:00Z")
/** The merchant's sandbox clock is a year ahead of Stripe's. */
const REAL_NOW = new Date("2025-11-22T10:00:00Z")
const CLOCK = { now: NOW, real_now: REAL_NOW }
const OPEN = { ...CLOCK, expires_at: new Date(NOW.getTime() + 1_800_000) }
const intent = (changes: object) =>
  ({
    id: "pi_1",
    status: "succeeded",
    amount_received: 100,
    currency: "bdt",
    metadata: {},
    ...changes,
  }) as unknown as Intent
const session = (changes: object) =>
  ({ id: "cs_1", status: "open", payment_status: "unpaid", payment_intent: null, ...changes }) as unknown as Session

describe("Stripe's decline codes as the contract's sub-codes", () => {
  it.each([
    ["insufficient_funds", "INSUFFICIENT_FUNDS", "insufficient_funds"],
    ["expired_card", "EXPIRED_CARD", "expired_card"],
    ["incorrect_cvc", "INVALID_CVV", "wrong_security_code"],
    ["invalid_cvc", "INVALID_CVV", "wrong_security_code"],
    ["fraudulent", "FRAUD_SUSPECTED", "fraud_suspected"],
    ["stolen_card", "FRAUD_SUSPECTED", "fraud_suspected"],
    ["lost_card", "FRAUD_SUSPECTED", "fraud_suspected"],
    ["card_velocity_exceeded", "LIMIT_EXCEEDED", "limit_exceeded"],
    ["withdrawal_count_limit_exceeded", "LIMIT_EXCEEDED", "limit_exceeded"],
    ["processing_error", "NETWORK_ERROR", undefined],
    ["authentication_required", "CARD_DECLINED", "authentication_failed"],
    ["authentication_not_handled", "CARD_DECLINED", "authentication_failed"],
    ["mobile_device_authentication_required", "CARD_DECLINED", "authentication_failed"],
    ["payment_intent_authentication_failure", "CARD_DECLINED", "authentication_failed"],
    ["payment_intent_action_required", "CARD_DECLINED", "authentication_failed"],
    ["incorrect_pin", "CARD_DECLINED", "wrong_pin"],
    ["invalid_pin", "CARD_DECLINED", "wrong_pin"],
    ["pin_try_exceeded", "CARD_DECLINED", "too_many_tries"],
    ["pickup_card", "CARD_DECLINED", "account_blocked"],
    ["restricted_card", "CARD_DECLINED", "account_blocked"],
    ["card_not_supported", "CARD_DECLINED", "method_unavailable"],
    ["currency_not_supported", "CARD_DECLINED", "method_unavailable"],
    ["invalid_account", "CARD_DECLINED", "method_unavailable"],
    ["not_permitted", "CARD_DECLINED", "method_unavailable"],
    ["revocation_of_all_authorizations", "CARD_DECLINED", "method_unavailable"],
    ["revocation_of_authorization", "CARD_DECLINED", "method_unavailable"],
    ["service_not_allowed", "CARD_DECLINED", "method_unavailable"],
    ["stop_payment_order", "CARD_DECLINED", "method_unavailable"],
    ["transaction_not_allowed", "CARD_DECLINED", "method_unavailable"],
    ["generic_decline", "CARD_DECLINED", undefined],
    ["do_not_honor", "CARD_DECLINED", undefined],
    ["a code of next year", "CARD_DECLINED", undefined],
  ])("%s is %s, reason %s", (decline_code, code, reason) => {
    expect(declineOf(decline_code, "card_declined")).toEqual(reason === undefined ? { code } : { code, reason })
    expect(declineOf(null, decline_code).code).toBe(code)
  })
})

describe("payment intents of charges", () => {
  it.each([
    ["succeeded", "done"],
    ["processing", "unknown"],
    ["requires_action", "unknown"],
    ["requires_confirmation", "unknown"],
    ["requires_capture", "done"],
    ["requires_payment_method", "refused"],
    ["canceled", "refused"],
    ["a status of next year", "unknown"],
  ])("%s is %s", (status, result) => {
    expect(answerOfCharge(intent({ status, amount_capturable: 100 }), CLOCK)).toMatchObject({
      result,
      references: { payment_intent: "pi_1" },
    })
  })
})

describe("Checkout Sessions", () => {
  it.each([
    ["open", null, "unknown", true],
    ["open", "requires_payment_method", "unknown", true],
    ["open", "requires_action", "unknown", true],
    ["open", "processing", "unknown", undefined],
    ["open", "succeeded", "done", undefined],
    ["complete", "succeeded", "done", undefined],
    ["complete", "processing", "unknown", undefined],
    ["complete", "requires_capture", "done", undefined],
    ["expired", "requires_capture", "done", undefined],
    ["complete", null, "unknown", undefined],
    ["complete", "requires_payment_method", "unknown", undefined],
    ["complete", "canceled", "refused", undefined],
    ["expired", null, "refused", undefined],
    ["expired", "canceled", "refused", undefined],
    ["expired", "requires_payment_method", "refused", undefined],
    ["expired", "processing", "unknown", undefined],
    ["expired", "requires_action", "unknown", undefined],
    ["expired", "succeeded", "done", undefined],
    ["a status of next year", null, "unknown", undefined],
  ])("%s with a payment intent %s is %s", (status, ofIntent, result, awaiting_shopper) => {
    const money = { amount_capturable: 100, created: 0 }
    const answer = answerOfSession(
      session({ status, payment_intent: ofIntent && intent({ status: ofIntent, ...money }) }),
      OPEN
    )
    expect(answer.result).toBe(result)
    expect("authorized" in answer).toBe(ofIntent === "requires_capture")
    expect("awaiting_shopper" in answer ? answer.awaiting_shopper : undefined).toBe(awaiting_shopper)
  })

  it("complete with a payment that was refused later: refused with its decline", () => {
    const payment_method = { card: { brand: "visa", last4: "9995" } }
    const last_payment_error = { code: "card_declined", decline_code: "insufficient_funds", payment_method }
    const payment_intent = intent({ status: "requires_payment_method", last_payment_error })
    const answer = answerOfSession(session({ status: "complete", payment_intent }), OPEN)
    const instrument = { brand: "VISA", last_four: "9995" }
    expect(answer).toMatchObject({ result: "refused", code: "INSUFFICIENT_FUNDS", instrument })
  })

  it("no_payment_required, and paid without a payment intent: unknown, because no money is shown", () => {
    for (const payment_status of ["no_payment_required", "paid"]) {
      expect(answerOfSession(session({ status: "complete", payment_status }), OPEN).result).toBe("unknown")
    }
    const unexpanded = session({ status: "expired", payment_intent: "pi_1" })
    expect(answerOfSession(unexpanded, OPEN)).toMatchObject({ result: "refused" })
  })
})

describe("reserved money", () => {
  const HOUR = 3_600_000
  const seconds = (date: Date) => date.getTime() / 1_000
  const reserved = (changes: object = {}) =>
    intent({
      status: "requires_capture",
      amount_received: 0,
      amount_capturable: 125_050,
      created: seconds(REAL_NOW),
      metadata: { gateway_attempt: "pay1" },
      ...changes,
    })
  const untilOf = (answer: object) => (answer as { authorized?: { capture_before: Date } }).authorized?.capture_before

  it("is done with what can be captured, although nothing is received yet, and takes one capture", () => {
    const answer = answerOfSession(session({ status: "complete", payment_intent: reserved() }), OPEN)
    expect(answer).toMatchObject({ result: "done", reference: "pi_1", amount: 125_050n, currency: "BDT" })
    expect(answer).toMatchObject({ authorized: { is_single: true } })
  })

  it.each([
    ["as Stripe says", { card: { capture_before: seconds(REAL_NOW) + 36_000 } }, 9 * HOUR, 9 * HOUR],
    ["seven days, and less without the shopper, where it does not", { card: {} }, 167 * HOUR, 113 * HOUR],
    ["the same without details of the card", null, 167 * HOUR, 113 * HOUR],
    ["over at once in the last hour", { card: { capture_before: seconds(REAL_NOW) + 1_800 } }, -HOUR / 2, -HOUR / 2],
  ])("can be captured until: %s, an hour earlier, on the merchant's clock", (_, details, ofSession, ofCharge) => {
    const latest_charge = { id: "ch_1", created: seconds(REAL_NOW), payment_method_details: details }
    const payment_intent = reserved({ latest_charge })
    const shown = answerOfSession(session({ status: "complete", payment_intent }), OPEN)
    expect(untilOf(shown)).toEqual(new Date(NOW.getTime() + ofSession))
    expect(untilOf(answerOfCharge(payment_intent, CLOCK))).toEqual(new Date(NOW.getTime() + ofCharge))
  })

  it.each([1.5, -1, null, undefined])("%p is nothing that could be captured: unknown", (amount_capturable) => {
    expect(answerOfCharge(reserved({ amount_capturable }), CLOCK).result).toBe("unknown")
  })

  const authorization = {
    key: "pay1",
    reference: "pi_1",
    amount: 125_050n,
    currency: "BDT",
    references: {},
    now: NOW,
  }
  const capture = {
    key: "cap1",
    amount: 100_000n,
    currency: "BDT",
    is_final: true,
    references: {},
    authorization,
    now: NOW,
  }
  const named = (gateway_capture: string) => ({ gateway_attempt: "pay1", gateway_capture })
  it.each([
    ["succeeded, under our key", { status: "succeeded", amount_received: 100_000, metadata: named("cap1") }, "done"],
    ["our key, another amount", { status: "succeeded", amount_received: 90_000, metadata: named("cap1") }, "done"],
    ["the same amount, no key", { status: "succeeded", amount_received: 100_000 }, "done"],
    ["another amount, no key", { status: "succeeded", amount_received: 90_000 }, "refused"],
    ["another currency, no key", { status: "succeeded", amount_received: 100_000, currency: "usd" }, "refused"],
    ["another capture's key", { status: "succeeded", amount_received: 100_000, metadata: named("cap2") }, "refused"],
    ["no amount", { status: "succeeded", amount_received: null, metadata: named("cap1") }, "unknown"],
    ["canceled", { status: "canceled" }, "refused"],
    ["failed", { status: "requires_payment_method" }, "refused"],
    ["processing", { status: "processing" }, "unknown"],
    ["reserved", {}, "unknown"],
    ["of another attempt", { status: "canceled", metadata: { gateway_attempt: "pay2" } }, "unknown"],
    ["a status of next year", { status: "a status of next year" }, "unknown"],
  ])("a capture whose payment intent is %s: %j is %s", (_, changes, result) => {
    expect(answerOfCapture(reserved(changes), capture).result).toBe(result)
  })

  it.each([
    ["canceled", "pay1", "released"],
    ["requires_payment_method", "pay1", "released"],
    ["succeeded", "pay1", "refused"],
    ["requires_capture", "pay1", "unknown"],
    ["processing", "pay1", "unknown"],
    ["canceled", "pay2", "unknown"],
  ])("a release whose payment intent is %s, of the attempt %s, is %s", (status, gateway_attempt, result) => {
    expect(answerOfRelease(reserved({ status, metadata: { gateway_attempt } }), authorization).result).toBe(result)
  })
})

describe("amounts and tokens", () => {
  it.each([1.5, -1, Number.NaN, 2 ** 53, "100", null, undefined, 1e21])("%p is no amount of Stripe's", (amount) => {
    expect(minorOf(amount)).toBeNull()
    expect(answerOfCharge(intent({ amount_received: amount }), CLOCK).result).toBe("unknown")
  })

  it.each(["", "BDT", "taka", null, 7])("%p is no currency of Stripe's", (currency) => {
    expect(answerOfCharge(intent({ currency }), CLOCK).result).toBe("unknown")
  })

  it("a token names customer and payment method", () => {
    const card = { customer: "cus_1", payment_method: "pm_2" }
    expect(keptCardOf(tokenOf(card))).toEqual(card)
  })
})

describe("errors", () => {
  it("of our own are no answers of Stripe's", () => {
    expect(() => failureOf(new TypeError("a defect"))).toThrow("a defect")
  })

  it("are recorded by their codes and the request's number: a message of Stripe's may name a customer", () => {
    const error = Stripe.errors.StripeError.generate({
      type: "invalid_request_error",
      statusCode: 400,
      code: "email_invalid",
      param: "customer_email",
      message: "Invalid email address: rahim@example",
      request_log_url: "https://dashboard.stripe.com/test/logs/req_Abc123?t=1",
    } as never)
    expect(failureOf(error)).toMatchObject({
      message: "Stripe: HTTP 400 invalid_request_error (email_invalid, customer_email) req_Abc123",
    })
  })
})
