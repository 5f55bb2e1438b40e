import { type Language, textsOf } from "./texts"
import type { ErrorCode, ShopperError } from "./types"

const ERROR_CODES = Object.keys(textsOf("en").errors) as ErrorCode[]

/**
 * What the store's refusals mean for a shopper. Medusa's SDK keeps the status and the English sentence of an answer, and
 * drops its code, so the sentences are recognised; a unit test compares them with the catalogue of refusals. A sentence
 * that matches none is `refused`.
 */
const SENTENCES: readonly (readonly [RegExp, ErrorCode])[] = [
  [/already completed|belongs to no open cart/i, "cart_completed"],
  [/^the cart is being paid/i, "being_paid"],
  [/^sign in/i, "sign_in"],
  [/takes from .* to .*; the cart comes to|not a positive amount|would cost more than/i, "amount"],
  [/takes only currencies|configured for payments in|the cart in [A-Z]{3}/, "currency"],
  [/no longer sold/i, "cart_changed"],
  [/^enter the code that was sent/i, "code_needed"],
  [/^the code is wrong/i, "code_wrong"],
  [/^this code can no longer be used/i, "code_expired"],
  [/^no more codes can be sent|^too many codes were asked/i, "code_limit"],
  [/^the code could not be sent/i, "code_unsent"],
  [/make a new payment session$/i, "advance_changed"],
  // The shop's own settings: nothing that a shopper could change.
  [/^return_url |merchant account|GATEWAY_PUBLIC_URL|publishable key/i, "unavailable"],
]

/** The HTTP status of an SDK's error; null when there was no answer at all. */
export function statusOf(error: unknown): number | null {
  const { status } = Object(error) as { status?: unknown }
  return typeof status === "number" ? status : null
}

export function codeOf(error: unknown): ErrorCode {
  const status = statusOf(error)
  if (status === null) {
    // fetch() rejects with a TypeError when there is no answer; anything else is a fault of the program. By name: an error
    // of another frame or context is no instance of this one's class.
    return (Object(error) as { name?: unknown }).name === "TypeError" ? "network" : "unavailable"
  }
  const known = SENTENCES.find(([sentence]) => sentence.test(messageOf(error)))?.[1]
  if (status === 429) {
    return known ?? "too_many_requests"
  }
  const isOfShop = status >= 500 || status === 401 || status === 403
  return known ?? (isOfShop ? "unavailable" : "refused")
}

/** An error for the shopper, of a code or of whatever a request has rejected with. */
export function errorOf(cause: unknown, detail: string | null, language: Language): ShopperError {
  const code = ERROR_CODES.find((known) => known === cause) ?? codeOf(cause)
  return { code, message: textsOf(language).errors[code], detail: detail ?? messageOf(cause) }
}

function messageOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown }
  return typeof message === "string" ? message : String(error)
}
