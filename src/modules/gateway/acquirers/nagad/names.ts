import { createHash, randomBytes } from "node:crypto"

/** Samples of order numbers have 13 to 20 letters and digits; more may not fit into the block. */
const NAME_CHARS = 20
const OWN_CHARS = 14
const ALPHABET = 36

function base36(bytes: Buffer, length: number): string {
  return BigInt(`0x${bytes.toString("hex")}`)
    .toString(ALPHABET)
    .padStart(length, "0")
    .slice(-length)
}

/** What every order number of an attempt begins with. */
export function orderPrefix(key: string): string {
  return base36(createHash("sha256").update(key).digest(), OWN_CHARS)
}

/** Another number for each try: Nagad refuses one that it has seen, even if its answer was lost. */
export function newOrderId(key: string): string {
  return orderPrefix(key) + base36(randomBytes(8), NAME_CHARS - OWN_CHARS)
}

/** A refund's number, the same at every call. */
export function refundNumber(key: string): string {
  return base36(createHash("sha256").update(key).digest(), NAME_CHARS)
}

/** Nagad's challenge wants forty characters that nobody can guess. */
export function newChallenge(): string {
  return randomBytes(20).toString("hex")
}

/**
 * Whether a payment reference may be about this merchant's order. The five that are known are base64 of
 * `time.merchant.order.random`; one of another form is not refused. It proves nothing: anybody can write one.
 */
export function mayBeAbout(paymentReferenceId: string, merchantId: string, key: string): boolean {
  const parts = Buffer.from(paymentReferenceId, "base64").toString("latin1").split(".")
  return parts.length !== 4 || (parts[1] === merchantId && parts[2].startsWith(orderPrefix(key)))
}
