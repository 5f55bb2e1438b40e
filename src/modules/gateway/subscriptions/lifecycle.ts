import { LIMITS } from "../kernel/limits"
import { type Anchor, type Interval, type IntervalUnit, isSameInterval, periodStart } from "../kernel/money/calendar"
import { addSeconds } from "../kernel/money/clock"
import type { SubscriptionState } from "./states"

const DAY_SECONDS = 86_400

/** A plan's trial: free when it has days and no amount, paid when it has both (contract 2.9). Amount in poisha. */
type TrialTerms = { trial_period_days: number | null; trial_amount_minor: number | null }

type TrialKind = "none" | "free" | "paid"

export function trialKind({ trial_period_days, trial_amount_minor }: TrialTerms): TrialKind {
  if (trial_period_days === null || trial_period_days === 0) {
    return "none"
  }
  return trial_amount_minor === null ? "free" : "paid"
}

/** The end of a trial of `days` days of 24 hours each. */
export function trialEnd(start: Date, days: number): Date {
  return addSeconds(start, days * DAY_SECONDS)
}

/** When subscription.trial_ending is due: three days before the end, or at the beginning of a shorter trial. */
export function trialNoticeAt(end: Date): Date {
  return addSeconds(end, -LIMITS.trialNoticeDays * DAY_SECONDS)
}

/** The state of a subscription: the columns that its lifecycle changes. Times on the merchant's clock. */
export type Lifecycle = {
  status: SubscriptionState
  amount_minor: number
  interval_count: number
  interval_unit: IntervalUnit
  trial_period_days: number | null
  trial_amount_minor: number | null
  trial_end_date: Date | null
  trial_ending_notified: boolean
  anchor_at: Date | null
  anchor_period: number
  current_period: number
  paid_period: number
  current_period_start: Date | null
  current_period_end: Date | null
  next_billing_date: Date | null
  billing_cycle_count: number
  failed_payment_count: number
  past_due_since: Date | null
  retry_at: Date | null
  paused_at: Date | null
  cancel_at_period_end: boolean
  cancelled_at: Date | null
  cancellation_reason: string | null
  cancellation_note: string | null
  ended_at: Date | null
  opened_at: Date
}

export type Terms = Interval & Pick<Lifecycle, "amount_minor" | "trial_period_days" | "trial_amount_minor">

/**
 * `reason` is one of the merchant's list where a page asked for it, and any text over the API; `note` is what the
 * customer adds in their own words.
 */
export type Cancellation = { atPeriodEnd: boolean; reason: string | null; note?: string | null }

/** A period: from its start (inclusive) to its end (exclusive). */
export type Bounds = { start: Date; end: Date }

/** The first unpaid period: the next payment is for it. */
export function openPeriod(lifecycle: Lifecycle): number {
  return lifecycle.paid_period + 1
}

/** Whether these terms give a period the same length. A trial, the period 0, has a length of its own. */
export function isSameLength(period: number, ...intervals: Parameters<typeof isSameInterval>): boolean {
  return period === 0 || isSameInterval(...intervals)
}

/** The price of the open period, in poisha; a failed period keeps the amount of its billing record. */
export function openAmount(lifecycle: Lifecycle): number {
  return openPeriod(lifecycle) === 0 && lifecycle.trial_amount_minor !== null
    ? lifecycle.trial_amount_minor
    : lifecycle.amount_minor
}

/** The bounds of the open period, if it is paid at `at`. */
export function openBounds(lifecycle: Lifecycle, at: Date): Bounds {
  const period = openPeriod(lifecycle)
  if (period === 0) {
    return { start: at, end: trialEnd(at, lifecycle.trial_period_days ?? 0) }
  }
  const anchor = anchorOf(lifecycle) ?? { at, period }
  return { start: lifecycle.next_billing_date ?? at, end: periodStart(anchor, lifecycle, period + 1) }
}

function anchorOf({ anchor_at, anchor_period }: Lifecycle): Anchor | null {
  return anchor_at === null ? null : { at: anchor_at, period: anchor_period }
}
