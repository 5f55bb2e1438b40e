import Stripe from "stripe"
import { NotReached } from "../http-call"
import type { References, Refused, Trouble, Unknown } from "../port"
import { isLost } from "./client"
import { BAD_REQUESTS, declineOf } from "./codes"

const { errors } = Stripe

/**
 * What an error of Stripe means for a request that should have moved money. Refused only where Stripe itself says so, or
 * nothing was sent; everything else is unknown. Throws what is no error of Stripe: that is a defect of ours.
 */
export function failureOf(error: unknown): Refused | Unknown {
  if (error instanceof errors.StripeConnectionError) {
    return (error.detail as unknown) instanceof NotReached
      ? unavailable("Stripe could not be reached", "network", true)
      : { result: "unknown", message: "Stripe did not answer", trouble: "network" }
  }
  if (error instanceof errors.StripeCardError) {
    return { result: "refused", ...declineOf(error.decline_code, error.code), message: messageOf(error) }
  }
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError) {
    return unavailable(messageOf(error), "credentials")
  }
  if (error instanceof errors.StripeRateLimitError) {
    return unavailable(messageOf(error), "rate_limited", true)
  }
  if (error instanceof errors.StripeIdempotencyError) {
    // Something was done under this key with other parameters; what, only a look-up says.
    return { result: "unknown", message: messageOf(error), trouble: "bad_request" }
  }
  if (error instanceof errors.StripeInvalidRequestError) {
    return badRequest(error)
  }
  if (error instanceof errors.StripeError) {
    return { result: "unknown", message: messageOf(error), ...troubleOf(error) }
  }
  throw error
}

/** More was created at that time than one question can read. `references`: where the next one goes on; else empty. */
export class UnfinishedLookupError extends Error {
  constructor(
    message: string,
    readonly references: References
  ) {
    super(message)
  }
}

/** What an error means for a question: the outcome stays as unclear as it was. */
export function unansweredBy(error: unknown): Unknown {
  if (error instanceof UnfinishedLookupError) {
    return { result: "unknown", message: error.message }
  }
  if (error instanceof errors.StripeInvalidRequestError && error.code === "resource_missing") {
    // An object that Stripe gave us and no longer knows belongs to another account than today's key.
    return { result: "unknown", message: messageOf(error), trouble: "credentials" }
  }
  const { message, trouble } = failureOf(error)
  return { result: "unknown", message, trouble }
}

/**
 * What an error means for a look-up while nothing was ever sent under the key: nothing has moved, so it is a refusal. It
 * may be repeated at once where Stripe is in the way; not after a wait without an answer, which may have been long.
 */
export function unsentBy(error: unknown): Refused | Unknown {
  if (error instanceof UnfinishedLookupError) {
    return unansweredBy(error)
  }
  const failure = failureOf(error)
  return failure.result === "refused"
    ? failure
    : unavailable(failure.message, failure.trouble ?? "network", isLost(error) ? undefined : true)
}

/** The shopper's card is not at fault, so the code is that of a network. */
export function unavailable(message: string, trouble: Trouble, retry?: true): Refused {
  return { result: "refused", code: "NETWORK_ERROR", message, reason: "method_unavailable", trouble, retry }
}

/** An object that the references name, and that is about something else. */
export function notOurs(id: string): Unknown {
  return { result: "unknown", message: `${id} was not made under this key`, trouble: "bad_request" }
}

/** A removed card or customer is the ordinary end of a kept instrument, and no mistake of ours. */
function badRequest(error: Stripe.errors.StripeInvalidRequestError): Refused {
  const known = BAD_REQUESTS[error.code ?? ""]
  if (isGone(error) || known?.code === "CARD_DECLINED") {
    return { result: "refused", code: "CARD_DECLINED", reason: "method_unavailable", message: messageOf(error) }
  }
  const unexplained = { code: "NETWORK_ERROR", reason: "method_unavailable" } as const
  return { result: "refused", ...(known ?? unexplained), message: messageOf(error), trouble: "bad_request" }
}

function isGone({ code, param }: Stripe.errors.StripeInvalidRequestError): boolean {
  return code === "resource_missing" && (param === "payment_method" || param === "customer")
}

function troubleOf({ statusCode }: Stripe.errors.StripeError): { trouble?: Trouble } {
  if (statusCode === 409) {
    return {}
  }
  return { trouble: statusCode === 503 ? "maintenance" : "network" }
}

/** English, for the record: Stripe's codes and its request's number, for its support. */
export function messageOf(error: Stripe.errors.StripeError): string {
  const codes = [error.code, error.decline_code, error.advice_code, error.param].filter(Boolean).join(", ")
  const request = /req_[A-Za-z0-9]+/.exec(error.request_log_url ?? "")?.[0]
  const status = error.statusCode === undefined ? "" : `HTTP ${error.statusCode}`
  return ["Stripe:", status, error.rawType ?? error.type, codes && `(${codes})`, request].filter(Boolean).join(" ")
}
