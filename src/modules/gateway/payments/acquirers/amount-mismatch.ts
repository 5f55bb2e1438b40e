import { formatAmount } from "../../kernel/money"
import type { Absent, Done, Refused } from "./port"

/** What an acquirer says it has moved, where that is not what it was asked to move. It is kept as JSON in the row. */
export type AmountMismatch = {
  /** Poisha, as text; null: it did not say, or not in whole poisha. */
  amount_minor: string | null
  currency: string | null
  reference: string
  /** When it said so, by the merchant's clock (ISO 8601). */
  at: string
}

export type AskedMoney = { amount_minor: number; currency: string }

/**
 * Compares what an acquirer reports with what it was asked for, exactly; null when both agree. An adapter may be plain
 * JavaScript, so that nothing is taken for granted: a number, or no amount at all, is not the amount that was asked for.
 */
export function amountMismatch(
  asked: AskedMoney,
  { amount, currency, reference }: Done,
  at: Date
): AmountMismatch | null {
  if (amount === BigInt(asked.amount_minor) && currency === asked.currency) {
    return null
  }
  return {
    amount_minor: typeof amount === "bigint" ? String(amount) : null,
    currency: typeof currency === "string" ? currency : null,
    reference: String(reference),
    at: at.toISOString(),
  }
}

/**
 * Whether an answer ends what an acquirer has reported a wrong amount of. That it has never heard of it, or that it may
 * be tried again, contradicts what it has said before, and ends nothing.
 */
export function isFinal(answer: Refused | Absent): answer is Refused {
  return answer.result === "refused" && answer.retry !== true
}

/** Reported and expected, for the audit log and the log of the process. */
export function describeMismatch(asked: AskedMoney, { amount_minor, currency, reference }: AmountMismatch) {
  return {
    before: { amount: formatAmount(asked.amount_minor), currency: asked.currency },
    after: { amount: amount_minor === null ? null : formatAmount(BigInt(amount_minor)), currency, reference },
  }
}
