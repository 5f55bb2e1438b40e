import { shifted } from "../kernel/money/calendar"
import { paidWithRest } from "./end-rules"
import {
  type Bounds,
  type Cancellation,
  type Lifecycle,
  type Terms,
  openAnchor,
  openBounds,
  openPeriod,
  trialEnd,
  trialKind,
  trialNoticeAt,
} from "./lifecycle"
import { subscriptionMachine, type SubscriptionTrigger } from "./states"

/** A lifecycle after a change, and the events of the change, in their order. */
export type Change<As extends Lifecycle = Lifecycle> = { next: As; emits: readonly string[] }

const TRIAL_ENDING = "subscription.trial_ending"
/** Resets the traces of a failed charge: only PAST_DUE has them, and who can come back to it its first failure. */
const PAID_UP = { failed_payment_count: 0, past_due_since: null, retry_at: null } as const

/**
 * A new subscription: TRIALING at once when its trial is free, else PENDING until the first payment (decisions: Plans).
 */
export function begin(terms: Terms, at: Date): Change {
  const kind = trialKind(terms)
  const pending: Lifecycle = {
    ...terms,
    ...PAID_UP,
    ...{ billing_cycles: terms.billing_cycles ?? null, cycles_before: 0, ends_at: null, has_own_end: false },
    status: "PENDING",
    open_price_minor: null,
    credits: [],
    scheduled_change: null,
    trial_end_date: null,
    trial_ending_notified: false,
    anchor_at: null,
    anchor_period: 1,
    current_period: 0,
    paid_period: kind === "paid" ? -1 : 0,
    current_period_start: null,
    current_period_end: null,
    next_billing_date: null,
    billing_cycle_count: 0,
    paused_at: null,
    cancel_at_period_end: false,
    cancelled_at: null,
    cancellation_reason: null,
    cancellation_note: null,
    ended_at: null,
    opened_at: at,
  }
  const started = kind === "free" ? startTrial(pending, at, "start_trial") : { next: pending, emits: [] }
  return { next: started.next, emits: ["subscription.created", ...started.emits] }
}

/** A payment of the open period, with the bounds of what it paid for. */
type Payment<As extends Lifecycle> = Change<As> & { bounds: Bounds }

/**
 * The open period was paid through a checkout; a paused subscription resumes with it. `recorded` are the bounds of the
 * billing record, used when the subscription has ended meanwhile and has no schedule any more.
 */
export function payOpen<As extends Lifecycle>(lifecycle: As, at: Date, recorded: Bounds): Payment<As> {
  if (lifecycle.status === "PENDING" && openPeriod(lifecycle) === 0) {
    const bounds = openBounds(lifecycle, at)
    return { ...startTrial({ ...lifecycle, paid_period: 0 }, at, "pay_trial"), bounds }
  }
  const { to, emits } = subscriptionMachine.require(lifecycle.status, "pay")
  const from = lifecycle.status === "PAUSED" ? resumed(lifecycle, at) : lifecycle
  const bounds = hasEnded(lifecycle) ? recorded : openBounds(from, at)
  // A trial runs to its end, which is a step of its own, even when that step is late.
  const begins = from.status !== "TRIALING" && bounds.start <= at
  return { next: { ...takePayment(from, bounds, begins), status: to }, emits, bounds }
}

/** An automatic charge of the open period succeeded. */
export function chargeSucceeded<As extends Lifecycle>(lifecycle: As, at: Date, recorded: Bounds): Payment<As> {
  const { to, emits } = subscriptionMachine.require(lifecycle.status, "charged")
  const bounds = hasEnded(lifecycle) ? recorded : openBounds(lifecycle, at)
  return { next: { ...takePayment(lifecycle, bounds, bounds.start <= at), status: to }, emits, bounds }
}

/**
 * An automatic charge of the open period failed. `retryAt` is null after the last retry; `giveUp`: what follows then. A
 * manual retry before the next date does not change the schedule.
 */
export function chargeFailed<As extends Lifecycle>(
  lifecycle: As,
  at: Date,
  retryAt: (firstFailure: Date, failures: number) => Date | null,
  giveUp: boolean
): Change<As> {
  const { to, emits } = subscriptionMachine.require(lifecycle.status, "charge_failed")
  if (to !== "PAST_DUE") {
    return { next: lifecycle, emits }
  }
  if (lifecycle.status === "PAST_DUE" && (lifecycle.retry_at === null || at < lifecycle.retry_at)) {
    return { next: lifecycle, emits }
  }
  const since = lifecycle.past_due_since ?? at
  const failures = lifecycle.failed_payment_count + 1
  const retry_at = retryAt(since, failures)
  const failed = enterOpen({
    ...lifecycle,
    failed_payment_count: failures,
    past_due_since: since,
    retry_at,
    status: to,
  })
  if (retry_at !== null || !giveUp) {
    return { next: failed, emits }
  }
  const row = subscriptionMachine.require("PAST_DUE", "give_up")
  // The row's events include the failure; when a trial ends with it, the end of the trial is added.
  const allEvents = [...emits.filter((event) => !row.emits.includes(event)), ...row.emits]
  return { next: { ...ended(failed, at), status: row.to, cancellation_reason: "payment_failed" }, emits: allEvents }
}

/**
 * The open period begins but is neither delivered nor charged; the next one is due on its usual date (decisions:
 * Store). A trial or an overdue payment ends with it: nothing is owed any more.
 */
export function skipOpen<As extends Lifecycle>(lifecycle: As, at: Date): Payment<As> {
  const { to, emits } = subscriptionMachine.require(lifecycle.status, "skip")
  const period = openPeriod(lifecycle)
  const bounds = openBounds(lifecycle, at)
  const next: As = {
    ...lifecycle,
    ...PAID_UP,
    ...openAnchor(lifecycle, at),
    status: to,
    open_price_minor: null,
    paid_period: period,
    next_billing_date: bounds.end,
  }
  return { next: enter(next, period, bounds), emits, bounds }
}

/** The trial is over, and its first full period is already paid. */
export function endTrial<As extends Lifecycle>(lifecycle: As, bounds: Bounds): Change<As> {
  const { to, emits } = subscriptionMachine.require(lifecycle.status, "end_trial")
  return { next: { ...enter(lifecycle, 1, bounds), status: to }, emits }
}

/** The current period is over, and the next one is already paid. */
export function rollOver<As extends Lifecycle>(lifecycle: As, bounds: Bounds): As {
  return enter(lifecycle, lifecycle.current_period + 1, bounds)
}

export function notifyTrialEnding<As extends Lifecycle>(lifecycle: As): Change<As> {
  return { next: { ...lifecycle, trial_ending_notified: true }, emits: [TRIAL_ENDING] }
}

/** Pauses at `at`, on the merchant's clock: nothing is due until it is resumed. Errors: INVALID_STATE_TRANSITION. */
export function pause<As extends Lifecycle>(lifecycle: As, at: Date): Change<As> {
  const { to, emits } = subscriptionMachine.require(lifecycle.status, "pause")
  return { next: { ...lifecycle, status: to, paused_at: at }, emits }
}

/** Resumes with the days that were left: the dates move by the length of the pause (decisions: Plans). */
export function resume<As extends Lifecycle>(lifecycle: As, at: Date): Change<As> {
  const { to, emits } = subscriptionMachine.require(lifecycle.status, "resume")
  return { next: { ...resumed(lifecycle, at), status: to }, emits }
}

/** The length of a pause that ends at `at`, in milliseconds; 0 when there is none. */
export function pauseLength(lifecycle: Lifecycle, at: Date): number {
  return lifecycle.paused_at === null ? 0 : at.getTime() - lifecycle.paused_at.getTime()
}

/**
 * Ends the subscription now, or at the end of the paid period. Without a paid period it ends now. A pause ends first,
 * so that its days are not lost.
 */
export function cancel<As extends Lifecycle>(
  lifecycle: As,
  at: Date,
  { atPeriodEnd, reason, note = null }: Cancellation
): Change<As> {
  const { to, emits } = subscriptionMachine.require(lifecycle.status, "cancel")
  const awake = resumed(lifecycle, at)
  const paidUntil = awake.paid_period > awake.current_period ? awake.next_billing_date : awake.current_period_end
  const lasts = atPeriodEnd && paidUntil !== null && paidUntil > at
  // Another plan that is scheduled is no more than hidden: who undoes the cancellation gets back what they had.
  const { past_due_since, scheduled_change } = awake
  const kept = lasts ? { current_period_end: paidUntil, past_due_since, scheduled_change } : {}
  const why = { cancel_at_period_end: atPeriodEnd, cancellation_reason: reason, cancellation_note: note }
  return { next: { ...ended(awake, at), ...kept, status: to, ...why }, emits }
}

/**
 * Ends a subscription for good at `at`, on the merchant's clock: its first payment never came, or the paid period of a
 * cancelled one is over. Errors: INVALID_STATE_TRANSITION.
 */
export function expire<As extends Lifecycle>(lifecycle: As, at: Date): Change<As> {
  const { to, emits } = subscriptionMachine.require(lifecycle.status, "expire")
  return { next: { ...lifecycle, status: to, past_due_since: null, scheduled_change: null, ended_at: at }, emits }
}

function startTrial<As extends Lifecycle>(lifecycle: As, at: Date, on: SubscriptionTrigger): Change<As> {
  const { to, emits } = subscriptionMachine.require(lifecycle.status, on)
  const end = trialEnd(at, lifecycle.trial_period_days ?? 0, lifecycle.time_zone)
  const short = trialNoticeAt(end, lifecycle.time_zone) <= at
  const next: As = {
    ...lifecycle,
    status: to,
    trial_end_date: end,
    trial_ending_notified: short,
    anchor_at: end,
    anchor_period: 1,
    current_period_start: at,
    current_period_end: end,
    next_billing_date: end,
  }
  return { next, emits: short ? [...emits, TRIAL_ENDING] : emits }
}

/** Marks the open period as paid. It becomes the current one if it has begun, and waits otherwise. */
function takePayment<As extends Lifecycle>(lifecycle: As, bounds: Bounds, begins: boolean): As {
  const period = openPeriod(lifecycle)
  const paid: As = {
    ...lifecycle,
    ...PAID_UP,
    open_price_minor: null,
    paid_period: period,
    billing_cycle_count: lifecycle.billing_cycle_count + (period > 0 ? 1 : 0),
    cycles_before: paidWithRest(lifecycle),
  }
  if (hasEnded(lifecycle)) {
    return { ...paid, ...usableUntil(lifecycle, bounds.end) }
  }
  // The first paid period is the anchor of all later ones (decisions: Plans).
  const scheduled = { ...paid, ...openAnchor(lifecycle, bounds.start), next_billing_date: bounds.end }
  return begins ? enter(scheduled, period, bounds) : scheduled
}

function hasEnded({ status }: Lifecycle): boolean {
  return status === "CANCELLED" || status === "EXPIRED"
}

/** A charge that succeeds after a cancellation at the period's end has paid for one more period. */
function usableUntil(lifecycle: Lifecycle, end: Date): Partial<Lifecycle> {
  return lifecycle.status === "CANCELLED" && lifecycle.cancel_at_period_end ? { current_period_end: end } : {}
}

/** The open period begins although it is not paid. */
function enterOpen<As extends Lifecycle>(lifecycle: As): As {
  const period = openPeriod(lifecycle)
  if (lifecycle.current_period === period || lifecycle.next_billing_date === null) {
    return lifecycle
  }
  return enter(lifecycle, period, openBounds(lifecycle, lifecycle.next_billing_date))
}

function enter<As extends Lifecycle>(lifecycle: As, period: number, { start, end }: Bounds): As {
  return { ...lifecycle, current_period: period, current_period_start: start, current_period_end: end }
}

/**
 * A pause that ends at `at`. The new billing date is the anchor from now on: the old one moved along may have another day
 * of the month, when the date before the pause was clamped to the month's end (decisions: Plans).
 */
function resumed<As extends Lifecycle>(lifecycle: As, at: Date): As {
  if (lifecycle.paused_at === null) {
    return lifecycle
  }
  const length = pauseLength(lifecycle, at)
  const moved = (date: Date | null) => (date === null ? null : shifted(date, length))
  const next_billing_date = moved(lifecycle.next_billing_date)
  const open = openPeriod(lifecycle)
  const isRest = lifecycle.open_price_minor !== null
  return {
    ...lifecycle,
    paused_at: null,
    anchor_at: isRest ? moved(openBounds(lifecycle, at).end) : next_billing_date,
    anchor_period: isRest ? open + 1 : open,
    current_period_end: moved(lifecycle.current_period_end),
    next_billing_date,
  }
}

function ended<As extends Lifecycle>(lifecycle: As, at: Date): As {
  return {
    ...lifecycle,
    ...PAID_UP,
    failed_payment_count: lifecycle.failed_payment_count,
    cancelled_at: at,
    current_period_end: lifecycle.current_period_start === null ? null : latest(lifecycle.current_period_start, at),
    next_billing_date: null,
    scheduled_change: null,
  }
}

function latest(left: Date, right: Date): Date {
  return left > right ? left : right
}
