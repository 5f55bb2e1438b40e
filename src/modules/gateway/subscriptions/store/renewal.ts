import type { IntervalUnit } from "../../kernel/calendar"
import { openBounds, type Lifecycle, type Terms } from "../state"
import { begin, payOpen } from "../rules"

/** The automatic charges after a payment: how much (poisha), how often, and when first. */
export type Renewal = { amount_minor: number; interval_count: number; interval_unit: IntervalUnit; first_at: Date }

/**
 * The renewals after the open period is paid at `at`. A renewal that is overdue by then is charged at once. Null for a
 * subscription that has ended.
 */
export function renewalAfter(lifecycle: Lifecycle, at: Date): Renewal | null {
  if (lifecycle.status === "CANCELLED" || lifecycle.status === "EXPIRED") {
    return null
  }
  const { next_billing_date, amount_minor, interval_count, interval_unit } = payOpen(
    lifecycle,
    at,
    openBounds(lifecycle, at)
  ).next
  return next_billing_date === null
    ? null
    : { amount_minor, interval_count, interval_unit, first_at: next_billing_date > at ? next_billing_date : at }
}

/** The renewals of a subscription that begins with a payment at `at`. */
export function renewalOfNew(terms: Terms, at: Date): Renewal | null {
  return renewalAfter(begin(terms, at).next, at)
}
