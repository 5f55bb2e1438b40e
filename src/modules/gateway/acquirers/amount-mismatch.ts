import { formatAmount } from "../kernel/money/money"
import type { Absent, Done, Refused } from "./port"

/** What an acquirer reports to have moved when that differs from the request. Stored as JSON in the row. */
export type AmountMismatch = {
  /**
   * Hundredths of `currency`, as text; null: the acquirer gave no amount, or not as a whole number of them (a bigint).
   */
  amount_minor: string | null
  currency: string | null
  reference: string
  /** When it reported this, on the merchant's clock (ISO 8601). */
  at: string
}

export type RequestedMoney = { amount_minor: number; currency: string }

/**
 * Compares an acquirer's report with the request, exactly; null when both agree. An adapter may be plain JavaScript, so
 * nothing is assumed: a missing amount, or an amount that is a number, does not agree.
 */
export function amountMismatch(
  requested: RequestedMoney,
  { amount, currency, reference }: Done,
  at: Date
): AmountMismatch | null {
  if (amount === BigInt(requested.amount_minor) && currency === requested.currency) {
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
 * Whether an answer settles a row with an amount mismatch. "Never heard of it" and "try again" contradict the earlier
 * report of moved money, so they settle nothing.
 */
export function isFinal(answer: Refused | Absent): answer is Refused {
  return answer.result === "refused" && answer.retry !== true
}

/** Describes reported and expected money, for the audit log and the process log. */
export function describeMismatch(requested: RequestedMoney, { amount_minor, currency, reference }: AmountMismatch) {
  return {
    before: { amount: formatAmount(requested.amount_minor), currency: requested.currency },
    after: { amount: amount_minor === null ? null : formatAmount(BigInt(amount_minor)), currency, reference },
  }
}
