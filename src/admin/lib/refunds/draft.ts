/** What a refund form holds: decimal text as typed, and the reason. */
export type RefundDraft = { amount: string; reason: string }

/** Why the form cannot be confirmed yet. */
export type RefundFaults = {
  amount?: "refunds.amount_invalid" | "refunds.amount_over"
  reason?: "refunds.reason_missing"
}

const AMOUNT = /^[0-9]{1,12}(?:\.[0-9]{1,2})?$/
/** As long as the API takes. */
export const REASON_MAX_CHARS = 500

/** Decimal text in hundredths of the currency; null for what is no amount. Never a float. */
function minorOf(text: string): bigint | null {
  if (!AMOUNT.test(text)) {
    return null
  }
  const [whole, fraction = ""] = text.split(".")
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, "0"))
}

function decimalOf(minor: bigint): string {
  return `${minor / 100n}.${(minor % 100n).toString().padStart(2, "0")}`
}

/** Checks the form before anybody is asked to confirm; `refundable` is what is left of the payment. The API checks again. */
export function faultsOf({ amount, reason }: RefundDraft, refundable: string): RefundFaults {
  const minor = minorOf(amount.trim())
  const most = minorOf(refundable) ?? 0n
  return {
    ...(minor === null || minor === 0n
      ? { amount: "refunds.amount_invalid" as const }
      : minor > most
        ? { amount: "refunds.amount_over" as const }
        : {}),
    ...(reason.trim() === "" ? { reason: "refunds.reason_missing" as const } : {}),
  }
}

/** Amounts to choose with one click: all that is left, a half and a quarter of it, rounded down to the hundredth. */
export function quickAmounts(refundable: string): { share: "all" | "half" | "quarter"; amount: string }[] {
  const most = minorOf(refundable) ?? 0n
  const shares = [
    { share: "all", minor: most },
    { share: "half", minor: most / 2n },
    { share: "quarter", minor: most / 4n },
  ] as const
  return shares.filter(({ minor }) => minor > 0n).map(({ share, minor }) => ({ share, amount: decimalOf(minor) }))
}
