import Stripe from "stripe"
import type { Absent, Done, Refused, RefundRequest, Unknown } from "../port"
import { postOnce } from "./client"
import { REFUND_FAILURES, REFUND_REFUSALS } from "./codes"
import { messageOf, unansweredBy } from "./failures"
import type { Lookup } from "./lookup"
import { currencyOf, minorOf, texts } from "./objects"
import { REFUND, refundParams } from "./requests"

const { errors } = Stripe

/**
 * Gives money back at most once per key. What was made under the key is looked up before anything is sent: Stripe forgets
 * an idempotency key after a day, and the core may ask again after a week.
 */
export async function refund(
  stripe: Stripe,
  lookup: Lookup,
  request: RefundRequest
): Promise<Done | Refused | Unknown> {
  try {
    const made = await lookup.refund(request)
    if (made !== null) {
      return answerOfRefund(made, request)
    }
  } catch (error) {
    return unansweredBy(error)
  }
  try {
    const made = await postOnce(() =>
      stripe.refunds.create(refundParams(request), { idempotencyKey: `refund-${request.key}` })
    )
    return answerOfRefund(made, request)
  } catch (error) {
    return refusalOf(error, lookup, request)
  }
}

/** The core repeats a refund that is `absent` with the same key: a late first one is then found, or repeated by Stripe. */
export async function refundStatus(
  stripe: Stripe,
  lookup: Lookup,
  request: RefundRequest
): Promise<Done | Refused | Unknown | Absent> {
  try {
    const { refund_id } = request.references
    const made = refund_id === undefined ? await lookup.refund(request) : await stripe.refunds.retrieve(refund_id)
    return made === null ? { result: "absent" } : answerOfRefund(made, request)
  } catch (error) {
    return unansweredBy(error)
  }
}

/** `refused` ends a refund for good, so only Stripe's own word that nothing moves is one. */
async function refusalOf(error: unknown, lookup: Lookup, request: RefundRequest): Promise<Done | Refused | Unknown> {
  const isOurs = error instanceof errors.StripeInvalidRequestError || error instanceof errors.StripeCardError
  if (!isOurs) {
    return unansweredBy(error)
  }
  if (error.code === "charge_already_refunded") {
    try {
      const made = await lookup.refund(request)
      if (made !== null) {
        return answerOfRefund(made, request)
      }
    } catch (unanswered) {
      return unansweredBy(unanswered)
    }
  }
  const code = REFUND_REFUSALS[error.code ?? ""]
  return {
    result: "refused",
    code: code ?? "REFUND_NOT_ALLOWED",
    message: messageOf(error),
    ...(code === undefined && { trouble: "bad_request" as const }),
  }
}

/**
 * A refund that has succeeded may still fail, days later, when the card's bank sends the money back: then this answers
 * `refused` about a refund that was `done` before.
 */
function answerOfRefund(refund: Stripe.Refund, request: RefundRequest): Done | Refused | Unknown {
  const { id, status } = refund
  const references = { refund_id: id }
  if (refund.metadata?.[REFUND] !== request.key) {
    return { result: "unknown", message: `The refund ${id} was not made under this key`, trouble: "bad_request" }
  }
  const details = texts({
    pending_reason: refund.pending_reason,
    failure_reason: refund.failure_reason,
    arrival_reference: refund.destination_details?.card?.reference,
  })
  if (status === "failed" || status === "canceled") {
    const code = REFUND_FAILURES[refund.failure_reason ?? ""] ?? "CARD_DECLINED"
    const message = `The refund is ${[status, refund.failure_reason].filter(Boolean).join(": ")}`
    return { result: "refused", code, message, references, details }
  }
  const amount = minorOf(refund.amount)
  const currency = currencyOf(refund.currency)
  if (status === "succeeded" && amount !== null && currency !== null) {
    return { result: "done", reference: id, amount, currency, references, details }
  }
  return { result: "unknown", message: `The refund is ${status}`, references, details }
}
