import type { Trouble } from "../port"

/**
 * What a status word of a payment means. `initiated`: nobody has begun to pay. `paying`: the shopper is on Nagad's page.
 * `moving`: the PIN is given, and money may be moving. `returned`: it was paid, and given back. `cancelled`: by the
 * shopper or given back; only the number of the payment shows which. `perhaps_failed`: Nagad does not know.
 */
export type Meaning =
  | "paid"
  | "initiated"
  | "paying"
  | "moving"
  | "returned"
  | "cancelled"
  | "aborted"
  | "failed"
  | "perhaps_failed"
  | "fraud"

/** A word that is not here leaves the payment open. */
export const STATUSES: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ["Success", "paid"],
  ["OrderInitiated", "initiated"],
  ["Ready", "initiated"],
  ["InProgress", "paying"],
  ["TransactionInProgress", "paying"],
  ["OtpSent", "paying"],
  ["OtpVerified", "paying"],
  ["PinGiven", "moving"],
  ["Cancelled", "cancelled"],
  ["Aborted", "aborted"],
  ["PartialCancelled", "returned"],
  ["Refunded", "returned"],
  ["PartialRefunded", "returned"],
  ["Failed", "failed"],
  ["UnKnownFailed", "perhaps_failed"],
  ["Fraud", "fraud"],
])

/** Words of a payment, or of an answer to a refund, that was given back in whole or in part. */
export const GIVEN_BACK: ReadonlySet<string> = new Set(["Cancelled", "PartialCancelled", "Refunded", "PartialRefunded"])
export const GIVEN_BACK_WHOLLY: ReadonlySet<string> = new Set(["Cancelled", "Refunded"])

/** `duplicate`: an order number that Nagad has already. `server`: Nagad failed, and may have acted. */
export type Fault = Extract<Trouble, "credentials" | "bad_request"> | "duplicate" | "server"

const REASONS: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ["invalidmerchant", "credentials"],
  ["inactivemerchant", "credentials"],
  ["encryptionerror", "credentials"],
  ["decryptionerror", "credentials"],
  ["signatureverificationfailed", "credentials"],
  ["invalidapirequest", "bad_request"],
  ["invalidorderid", "bad_request"],
  ["invalidpurchaseinformation", "bad_request"],
  ["invalidreferenceid", "bad_request"],
  ["encodingerror", "bad_request"],
  ["invalidcurrency", "bad_request"],
  ["invalidrequest", "bad_request"],
  ["duplicateorderid", "duplicate"],
  ["servererror", "server"],
])

/** Sentences that were seen with a number in place of a reason. The last comes when the clock is wrong, too. */
const SENTENCES: readonly (readonly [RegExp, Fault])[] = [
  [/decryption failed|signature/i, "credentials"],
  [/duplicate/i, "duplicate"],
  [/verify provided data/i, "bad_request"],
]

/** What Nagad complains about; undefined: it is not known. */
export function faultOf(reason: string, message: string): Fault | undefined {
  return (
    REASONS.get(reason.replace(/[^A-Za-z]/g, "").toLowerCase()) ??
    SENTENCES.find(([pattern]) => pattern.test(message))?.[1]
  )
}
