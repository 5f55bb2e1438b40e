import type { References, Unknown } from "./port"

const BY_HAND: References = { refund: "by_hand" }

/**
 * The answer about a refund of an acquirer that takes refunds in its own panel only: an admin makes it there, then says so
 * here (docs/decisions/03). `references`: by what the panel finds the payment.
 */
export function refundByHand(message: string, references: References): Unknown {
  return { result: "unknown", message, needs_operator: true, references: { ...references, ...BY_HAND } }
}

/** Whether nobody has asked the acquirer for this refund, nor can: for the words that an admin reads. */
export function isByHand({ refund }: References): boolean {
  return refund === BY_HAND.refund
}
