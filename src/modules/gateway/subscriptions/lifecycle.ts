import { LIMITS } from "../kernel/limits"
import type { PlanNames } from "../plans/rules"
import { dueOf, type Credit } from "./credit-rules"
import {
  type Anchor,
  type Interval,
  type IntervalUnit,
  addDays,
  isSameInterval,
  periodStart,
} from "../kernel/money/calendar"
import type { SubscriptionState } from "./states"

/** A plan's trial: free when it has days and no amount, paid when it has both (contract 2.9). Amount in poisha. */
type TrialTerms = { trial_period_days: number | null; trial_amount_minor: number | null }

type TrialKind = "none" | "free" | "paid"

export function trialKind({ trial_period_days, trial_amount_minor }: TrialTerms): TrialKind {
  if (trial_period_days === null || trial_period_days === 0) {
    return "none"
  }
  return trial_amount_minor === null ? "free" : "paid"
}

/** The end of a trial of `days` days of the merchant's time zone: it ends at the time of day at which it began. */
export function trialEnd(start: Date, days: number, zone: string): Date {
  return addDays(start, days, zone)
}

/** When subscription.trial_ending is due: three days before the end, or at the beginning of a shorter trial. */
export function trialNoticeAt(end: Date, zone: string): Date {
  return addDays(end, -LIMITS.trialNoticeDays, zone)
}

/** When a subscription ends by itself; without both it goes on until somebody cancels it. */
export type End = {
  /** After so many full periods that are paid. */
  billing_cycles: number | null
  /** Payments in `billing_cycle_count` that are none of these: of an earlier plan, and for rests of periods. */
  cycles_before: number
  /** No period begins then or later. */
  ends_at: Date | null
  /** It was given to this subscription, and is not its plan's. */
  has_own_end: boolean
}

/**
 * The state of a subscription: the columns that its lifecycle changes. Times on the merchant's clock. Beside them
 * `time_zone`, the merchant's, on whose calendar dates are counted.
 */
export type Lifecycle = End & {
  time_zone: string
  status: SubscriptionState
  /** Of a whole period: of all `quantity`. */
  amount_minor: number
  quantity: number
  /** The price of the open period where it is not `amount_minor`: the rest of a period after a change of plan. */
  open_price_minor: number | null
  credits: readonly Credit[]
  /** The terms from the next period on; until it begins they can be taken back. */
  scheduled_change: NewTerms | null
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

/** The terms of a plan, or of none, as a change gives them; amount in poisha. */
export type NewTerms = Interval &
  PlanNames & {
    plan_id: string | null
    plan_number: number | null
    amount_minor: number
    quantity: number
    /** The plan's; absent: the end stays as it is. */
    billing_cycles?: number | null
    /** Goods of the store: the variant that renewals send. */
    store_variant_id?: string
  }
/** `billing_cycles` is the plan's. */
export type Terms = Interval &
  Partial<Pick<End, "billing_cycles">> &
  Pick<Lifecycle, "amount_minor" | "quantity" | "trial_period_days" | "trial_amount_minor" | "time_zone">

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

/** The price of the open period, in poisha, of which credits may pay a part. */
export function openPrice(lifecycle: Lifecycle): number {
  return openPeriod(lifecycle) === 0 && lifecycle.trial_amount_minor !== null
    ? lifecycle.trial_amount_minor
    : (lifecycle.open_price_minor ?? lifecycle.amount_minor)
}

/** What is to be paid for the open period, in poisha; a failed period keeps the amount of its billing record. */
export function openAmount(lifecycle: Lifecycle): number {
  return dueOf(openPrice(lifecycle), lifecycle.credits)
}

/**
 * The bounds of the open period, if it is paid at `at`. One that has begun unpaid keeps the dates with which it began,
 * whatever the merchant's time zone is now.
 */
export function openBounds(lifecycle: Lifecycle, at: Date): Bounds {
  const period = openPeriod(lifecycle)
  const { current_period, current_period_start, current_period_end, next_billing_date, time_zone } = lifecycle
  if (period === 0) {
    return { start: at, end: trialEnd(at, lifecycle.trial_period_days ?? 0, time_zone) }
  }
  if (current_period === period && current_period_start !== null && current_period_end !== null) {
    return { start: current_period_start, end: current_period_end }
  }
  const { anchor_at, anchor_period } = openAnchor(lifecycle, at)
  const end = periodStart({ at: anchor_at, period: anchor_period }, lifecycle, period + 1, time_zone)
  return { start: next_billing_date ?? at, end }
}

/**
 * The anchor of the open period, if it is paid at `at`. A known anchor counts as long as it leads to the next billing
 * date. It does not when its dates were counted in another time zone: then the next billing date stays what it is, and
 * what follows is counted from its day in the merchant's zone (decisions: Plans). An anchor that lies ahead, where the
 * open period ends with an earlier interval, is that end itself.
 */
export function openAnchor(lifecycle: Lifecycle, at: Date): { anchor_at: Date; anchor_period: number } {
  const { anchor_at, anchor_period, next_billing_date, time_zone } = lifecycle
  const period = openPeriod(lifecycle)
  const start = next_billing_date ?? at
  if (anchor_at === null) {
    return { anchor_at: start, anchor_period: period }
  }
  if (lifecycle.open_price_minor !== null) {
    // The rest of a period ends where that period would have ended.
    return { anchor_at, anchor_period }
  }
  const anchor: Anchor = { at: anchor_at, period: anchor_period }
  const leads =
    anchor_period > period || periodStart(anchor, lifecycle, period, time_zone).getTime() === start.getTime()
  return leads ? { anchor_at, anchor_period } : { anchor_at: start, anchor_period: period }
}
