import type { DeclineReason, Trouble } from "../port"

/**
 * What a code of bKash means for the call that it answers. `refused`: nothing has moved and nothing will. `unclear`:
 * money may have moved, or may move yet.
 */
export type Meaning = {
  says: string
  effect: "refused" | "unclear"
  /** The contract's sub-code. */
  code: "CARD_DECLINED" | "INSUFFICIENT_FUNDS" | "LIMIT_EXCEEDED" | "EXPIRED" | "CANCELLED"
  reason?: DeclineReason
  tries_left?: number
  trouble?: Trouble
}

type More = Partial<Omit<Meaning, "says" | "effect">>

const refused = (says: string, more: More = {}): Meaning => ({
  says,
  effect: "refused",
  code: "CARD_DECLINED",
  ...more,
})
const unclear = (says: string, more: More = {}): Meaning => ({ ...refused(says, more), effect: "unclear" })

/** The merchant's own account or contract stops the payment: an admin has to act, and no shopper can pay. */
const MERCHANT: More = { trouble: "credentials", reason: "method_unavailable" }
const REQUEST: More = { trouble: "bad_request" }
const NO_TRIES: More = { reason: "too_many_tries", tries_left: 0 }

/**
 * Codes of an execute after which nothing has moved if the payment is still Initiated. "duplicate": bKash takes the same
 * amount from the same wallet once in two minutes, whatever the invoice. "no_consent": the shopper has not agreed on
 * bKash's page yet, so somebody else sent us the way back; the payment can still be paid.
 */
const UNMOVED = { 2029: "duplicate", 2056: "no_consent", 2060: "no_consent" } as const
type Unmoved = (typeof UNMOVED)[keyof typeof UNMOVED]

export function nothingMovedBy(code: string): Unmoved | undefined {
  return (UNMOVED as Readonly<Record<string, Unmoved>>)[code]
}

export const SUCCESSFUL = "0000"
export const UNKNOWN_PAYMENT = "2002"
/** An agreement that was cancelled before. */
export const AGREEMENT_CANCELLED = "2053"

/** Codes of create, execute, query and the calls about agreements. A code that is not here is unclear. */
export const PAYMENT_CODES: Readonly<Record<string, Meaning>> = {
  2001: refused("invalid app key", MERCHANT),
  2002: refused("invalid payment id", REQUEST),
  2003: unclear("process failed"),
  2006: refused("invalid amount", REQUEST),
  2007: refused("invalid currency", REQUEST),
  2008: refused("invalid intent", REQUEST),
  2009: refused("invalid wallet"),
  2010: refused("invalid OTP", { reason: "wrong_otp" }),
  2011: refused("invalid PIN", { reason: "wrong_pin" }),
  2013: refused("too many codes sent", NO_TRIES),
  2014: refused("wrong PIN", { reason: "wrong_pin" }),
  2015: refused("too many wrong PINs", NO_TRIES),
  2016: refused("wrong verification code", { reason: "wrong_otp" }),
  2017: refused("too many wrong verification codes", NO_TRIES),
  2018: refused("the code came too late", { code: "EXPIRED", reason: "otp_expired" }),
  2019: refused("the PIN came too late", { code: "EXPIRED" }),
  2020: unclear("exception"),
  2023: refused("insufficient balance", { code: "INSUFFICIENT_FUNDS", reason: "insufficient_funds" }),
  2024: unclear("exception"),
  2025: refused("invalid request body", REQUEST),
  2026: refused("reversal above the original amount", REQUEST),
  2028: refused("no such transaction to reverse", REQUEST),
  2029: unclear("duplicate transaction", { code: "LIMIT_EXCEEDED", reason: "repeated_too_soon" }),
  2031: refused("invalid invoice number", REQUEST),
  2033: refused("transaction not found", REQUEST),
  2034: refused("already reversed"),
  2035: refused("no permission to reverse", { trouble: "credentials" }),
  2037: refused("the payer's account is blocked", { reason: "account_blocked" }),
  2038: refused("the payer's account is blocked", { reason: "account_blocked" }),
  2039: refused("the merchant's account is blocked", MERCHANT),
  2040: refused("the merchant's account is blocked", MERCHANT),
  2041: refused("the merchant's account does not have the service", MERCHANT),
  2042: refused("no permission to reverse", { trouble: "credentials" }),
  2043: refused("wrong credential", MERCHANT),
  2044: refused("not subscribed to the service", MERCHANT),
  2045: refused("no such wallet"),
  2046: refused("not subscribed to the service", MERCHANT),
  2047: refused("malformed merchant information", REQUEST),
  2048: refused("invalid payer reference", REQUEST),
  2049: refused("invalid callback URL", REQUEST),
  2050: refused("the agreement exists already"),
  2051: refused("invalid agreement id"),
  2052: refused("the agreement is incomplete"),
  2053: refused("the agreement was cancelled"),
  2054: refused("the shopper has not agreed", { reason: "authentication_failed" }),
  2055: refused("invalid state of the agreement"),
  2056: unclear("invalid state of the payment"),
  2057: refused("not a bKash account"),
  2058: refused("not a customer's wallet"),
  2059: refused("a second code was asked for", { reason: "too_many_tries" }),
  2060: refused("the shopper has not finished", { reason: "authentication_failed" }),
  2061: refused("not the initiator", { trouble: "credentials" }),
  2062: unclear("the payment is completed already"),
  2063: refused("the mode does not fit the request", REQUEST),
  2064: refused("the mode is not available", MERCHANT),
  2065: refused("a field is missing", REQUEST),
  2066: refused("the agreement belongs to another merchant", { trouble: "credentials" }),
  2067: refused("no permission", MERCHANT),
  2068: unclear("the transaction is completed already"),
  2069: refused("cancelled", { code: "CANCELLED" }),
  2116: unclear("the agreement was executed before"),
  2117: unclear("the payment was executed before"),
  2118: unclear("fault of the platform", { trouble: "maintenance" }),
  2119: unclear("the authorisation was processed before"),
  2127: unclear("not completed"),
  503: unclear("maintenance", { trouble: "maintenance" }),
}

/**
 * Codes that only refunds know. Sources differ in what 2071 to 2082 say. Where one of them says that the money is back
 * already, the code is unclear.
 */
const REFUND_CODES: Readonly<Record<string, Meaning>> = {
  2034: unclear("already reversed"),
  2071: refused("too late to refund"),
  2072: refused("invalid refund amount", REQUEST),
  2073: refused("no SKU", REQUEST),
  2074: unclear("cannot be refunded, or is refunded already"),
  2075: unclear("the SKU is too long, or a duplicate refund"),
  2076: refused("the reason is too long", REQUEST),
  2077: refused("invalid transaction id", REQUEST),
  2078: refused("no reason", REQUEST),
  2079: refused("invalid token", { trouble: "credentials" }),
  2080: refused("refunds are not permitted", { trouble: "credentials" }),
  2081: refused("refunds are not permitted", { trouble: "credentials" }),
  2082: refused("refunds are not permitted", { trouble: "credentials" }),
}

/** Refusals that an earlier request explains, if that one has given the money back. */
const EXPLAINED_BY_AN_EARLIER_ONE: ReadonlySet<string> = new Set(["2026", "2033", "2072", "2081"])

/** `isRepeated`: an earlier request for the same refund was sent, and its outcome is not known. */
export function refundMeaning(code: string, isRepeated = false): Meaning | undefined {
  const meaning = REFUND_CODES[code] ?? PAYMENT_CODES[code]
  return isRepeated && EXPLAINED_BY_AN_EARLIER_ONE.has(code) && meaning ? { ...meaning, effect: "unclear" } : meaning
}
