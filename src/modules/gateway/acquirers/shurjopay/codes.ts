import type { Refused, Trouble } from "../port"

/** Nothing has moved. `mayFollow`: the shopper may pay on the same page after it. */
type Decline = Pick<Refused, "code" | "reason"> & { mayFollow?: boolean }

/**
 * What a code says of a payment. `returning`: it was paid, and a refund is asked for or accepted. `returned`: refunded.
 * `reversed`: it was paid, and the money is gone. `waiting`: the shopper has not paid yet. `unclear`: money may be moving.
 * `lost`: shurjoPay does not know the payment. A trouble: the question was refused, which says nothing of the payment.
 */
export type Meaning =
  | "paid"
  | "returning"
  | "returned"
  | "reversed"
  | "waiting"
  | "unclear"
  | "lost"
  | { trouble: Trouble }
  | { decline: Decline }

const declined = (code: string, reason?: Refused["reason"]): Meaning => ({ decline: { code, reason } })
const mayBePaidYet: Meaning = { decline: { code: "CARD_DECLINED", mayFollow: true } }

/** The `sp_code` of an unknown order number, and of a token that is not valid (any more). */
export const UNKNOWN_ORDER = "1011"
export const TOKEN_REFUSED = "1064"

/** A code that is not here leaves the payment open. */
export const CODES: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ["1000", "paid"],
  // Asked before, and paid.
  ["208", "paid"],
  ["1001", mayBePaidYet],
  ["1002", declined("CANCELLED")],
  ["1003", { trouble: "credentials" }],
  ["1004", declined("EXPIRED")],
  ["1005", mayBePaidYet],
  ["1006", declined("CARD_DECLINED", "wrong_otp")],
  ["1007", declined("CARD_DECLINED", "wrong_pin")],
  ["1008", declined("INSUFFICIENT_FUNDS", "insufficient_funds")],
  ["1009", declined("LIMIT_EXCEEDED", "limit_exceeded")],
  ["1010", { trouble: "bad_request" }],
  [UNKNOWN_ORDER, "lost"],
  ["1012", mayBePaidYet],
  // bKash takes the same amount from a wallet once in ten minutes.
  ["1061", declined("LIMIT_EXCEEDED", "repeated_in_ten_minutes")],
  ["1062", { trouble: "bad_request" }],
  ["1063", mayBePaidYet],
  [TOKEN_REFUSED, { trouble: "credentials" }],
  ["1065", "unclear"],
  ["1066", "waiting"],
  ["1067", mayBePaidYet],
  ["1068", "waiting"],
  ["2000", "returning"],
  ["2001", "returning"],
  ["2002", "returned"],
  ["2005", "unclear"],
  // A refund that was cancelled: the money stays.
  ["2006", "paid"],
  ["2007", "unclear"],
  ["2008", { trouble: "credentials" }],
  ["2009", declined("CARD_DECLINED", "account_blocked")],
  ["3000", "reversed"],
])
