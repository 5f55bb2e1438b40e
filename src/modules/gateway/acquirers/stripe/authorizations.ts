import Stripe from "stripe"
import type { AuthorizationRequest, Authorizing, CaptureRequest, Released } from "../authorization-port"
import type { Absent, Done, Refused, Unknown } from "../port"
import { postOnce } from "./client"
import { declineOf } from "./codes"
import { messageOf, notOurs, unansweredBy } from "./failures"
import { currencyOf, minorOf, type Intent } from "./objects"
import { ATTEMPT, CAPTURE, captureParams } from "./requests"

const { errors } = Stripe

/**
 * Reserved money, as a payment intent in `requires_capture`. Stripe takes one capture of it and releases the rest, so
 * the intent itself says what became of each request: a lost answer is read there, and nothing is captured twice.
 */
export class Authorizations implements Authorizing<Done, Refused, Unknown, Absent> {
  /** `wrongKey`: why the account's key may not be used; null: it may. */
  constructor(
    private readonly stripe: Stripe,
    private readonly wrongKey: () => Unknown | null
  ) {}

  async capture(request: CaptureRequest): Promise<Done | Refused | Unknown> {
    const wrong = this.wrongKey()
    if (wrong !== null) {
      return wrong
    }
    const {
      references,
      authorization: { reference },
    } = request
    // Stripe keeps an answer for a day, its own failures too: what is asked again after one is another request.
    const tries = Number(references.tries ?? 0) + 1
    const idempotencyKey = `capture-${request.key}${tries === 1 ? "" : `-${tries}`}`
    const post = () => this.stripe.paymentIntents.capture(reference, captureParams(request), { idempotencyKey })
    const answer = await this.settled(request, () => postOnce(post))
    return answer.result === "unknown" ? { ...answer, references: { tries: String(tries) } } : answer
  }

  /** `absent` while the money is reserved: a request that is late may still arrive, and takes the same money. */
  async captureStatus(request: CaptureRequest): Promise<Done | Refused | Unknown | Absent> {
    const wrong = this.wrongKey()
    if (wrong !== null) {
      return wrong
    }
    try {
      const intent = await this.intentOf(request.authorization)
      return isReserved(intent, request.authorization) ? { result: "absent" } : answerOfCapture(intent, request)
    } catch (error) {
      return unansweredBy(error)
    }
  }

  /** Without idempotency key: a repetition does no harm, and Stripe would repeat a saved failure for a day. */
  async release(request: AuthorizationRequest): Promise<Released | Refused | Unknown> {
    const wrong = this.wrongKey()
    if (wrong !== null) {
      return wrong
    }
    try {
      const intent = await this.intentOf(request)
      return isReserved(intent, request) ? await this.cancelled(request) : answerOfRelease(intent, request)
    } catch (error) {
      return unansweredBy(error)
    }
  }

  /** Throws Stripe's errors of the question that follows a cancellation without an answer. */
  private async cancelled(request: AuthorizationRequest): Promise<Released | Refused | Unknown> {
    try {
      return answerOfRelease(await this.stripe.paymentIntents.cancel(request.reference), request)
    } catch {
      return answerOfRelease(await this.intentOf(request), request)
    }
  }

  /** A refusal ends a capture for good, so it needs Stripe's own word, and money that is reserved or gone. */
  private async settled(request: CaptureRequest, capture: () => Promise<Intent>): Promise<Done | Refused | Unknown> {
    try {
      return answerOfCapture(await capture(), request)
    } catch (error) {
      try {
        const intent = await this.intentOf(request.authorization)
        const refusal = isReserved(intent, request.authorization) ? refusalBy(error) : null
        return refusal ?? unlessClear(answerOfCapture(intent, request), error)
      } catch {
        return unansweredBy(error)
      }
    }
  }

  private intentOf({ reference }: AuthorizationRequest): Promise<Intent> {
    return this.stripe.paymentIntents.retrieve(reference)
  }
}

/** What the payment intent says of a capture. */
export function answerOfCapture(intent: Intent, request: CaptureRequest): Done | Refused | Unknown {
  const { id, status, metadata } = intent
  if (metadata?.[ATTEMPT] !== request.authorization.key) {
    return notOurs(id)
  }
  if (status === "canceled" || status === "requires_payment_method") {
    return refusedBy(`The payment intent is ${status}: nothing is reserved any more`)
  }
  const amount = minorOf(intent.amount_received)
  const currency = currencyOf(intent.currency)
  if (status !== "succeeded" || amount === null || currency === null) {
    return { result: "unknown", message: `The payment intent is ${status}` }
  }
  // Somebody may have captured the same amount in Stripe's dashboard meanwhile: it is the same money.
  const isSame = metadata[CAPTURE] === undefined && amount === request.amount && currency === request.currency
  return metadata[CAPTURE] === request.key || isSame
    ? { result: "done", reference: id, amount, currency }
    : refusedBy("The payment was captured in another way")
}

/** What the payment intent says of letting the money go. */
export function answerOfRelease(intent: Intent, { key }: AuthorizationRequest): Released | Refused | Unknown {
  const { id, status, metadata } = intent
  if (metadata?.[ATTEMPT] !== key) {
    return notOurs(id)
  }
  if (status === "canceled" || status === "requires_payment_method") {
    return { result: "released" }
  }
  return status === "succeeded"
    ? refusedBy("The payment was captured")
    : { result: "unknown", message: `The payment intent is ${status}` }
}

function isReserved({ status, metadata }: Intent, { key }: AuthorizationRequest): boolean {
  return status === "requires_capture" && metadata?.[ATTEMPT] === key
}

/** Null: another request may have been carried out, or one like it may be later. */
function refusalBy(error: unknown): Refused | null {
  if (error instanceof errors.StripeCardError) {
    return { result: "refused", ...declineOf(error.decline_code, error.code), message: messageOf(error) }
  }
  // An unexpected state is that of a moment ago: something else has just changed it.
  return error instanceof errors.StripeInvalidRequestError && error.code !== "payment_intent_unexpected_state"
    ? { ...refusedBy(messageOf(error)), trouble: "bad_request" }
    : null
}

/** Where the payment intent says nothing more, the error of the request does. */
function unlessClear(answer: Done | Refused | Unknown, error: unknown): Done | Refused | Unknown {
  return answer.result === "unknown" && answer.trouble === undefined ? unansweredBy(error) : answer
}

function refusedBy(message: string): Refused {
  return { result: "refused", code: "CAPTURE_FAILED", message }
}
