/** The days of the week on which banks in Bangladesh are closed (UTC, 0 is Sunday): Friday and Saturday. */
const DAYS_OFF: readonly number[] = [5, 6]

const DAY_MS = 86_400_000

/** The same time of day, `count` business days later. Days are UTC days. */
export function addBusinessDays(from: Date, count: number): Date {
  let at = from.getTime()
  for (let left = count; left > 0;) {
    at += DAY_MS
    left -= isBusinessDay(new Date(at)) ? 1 : 0
  }
  return new Date(at)
}

export function isBusinessDay(at: Date): boolean {
  return !DAYS_OFF.includes(at.getUTCDay())
}

/** A refund reaches the shopper within this many business days (decisions: Refunds). */
const REFUND_BUSINESS_DAYS = 7

export function estimatedCompletion(requestedAt: Date): Date {
  return addBusinessDays(requestedAt, REFUND_BUSINESS_DAYS)
}
