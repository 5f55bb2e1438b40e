import { shifted, type Interval } from "../kernel/calendar"
import { openBounds, openPeriod, type Bounds, type Standing, type Terms } from "./state"
import { subscriptionMachine, type SubscriptionTrigger } from "./states"
import { trialEnd, trialKind, trialNoticeAt } from "./trial"

/** A standing after a change, and the events that tell of it, in their order. */
export type Change<As extends Standing = Standing> = { next: As; emits: readonly string[] }

const TRIAL_ENDING = "subscription.trial_ending"
/** What must never be left of a failed charge once the subscription is anything else than PAST_DUE. */
const PAID_UP = { failed_payment_count: 0, past_due_since: null, retry_at: null } as const

/** A new subscription: TRIALING at once when its trial is free, else PENDING until somebody pays (decisions: Plans). */
export function begin(terms: Terms, at: Date): Change {
  const kind = trialKind(terms)
  const pending: Standing = {
    ...terms,
    ...PAID_UP,
    status: "PENDING",
    trial_end_date: null,
    trial_ending_told: false,
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
    ended_at: null,
    opened_at: at,
  }
  const started = kind === "free" ? startTrial(pending, at, "start_trial") : { next: pending, emits: [] }
  return { next: started.next, emits: ["subscription.created", ...started.emits] }
}

/** A payment of the open period, and from when to when what it paid for goes. */
export type Payment<As extends Standing> = Change<As> & { bounds: Bounds }

/**
 * Somebody paid the open period through a checkout; a paused subscription resumes with it. `recorded` are the bounds of
 * the billing record, which count when the subscription has ended meanwhile and has no schedule any more.
 */
export function payOpen<As extends Standing>(standing: As, at: Date, recorded: Bounds): Payment<As> {
  if (standing.status === "PENDING" && openPeriod(standing) === 0) {
    const bounds = openBounds(standing, at)
    return { ...startTrial({ ...standing, paid_period: 0 }, at, "pay_trial"), bounds }
  }
  const { to, emits } = subscriptionMachine.require(standing.status, "pay")
  const from = standing.status === "PAUSED" ? resumed(standing, at) : standing
  const bounds = hasEnded(standing) ? recorded : openBounds(from, at)
  // A trial goes on to its end, which has work of its own to do, even when that is late.
  const begins = from.status !== "TRIALING" && bounds.start <= at
  return { next: { ...takePayment(from, bounds, begins), status: to }, emits, bounds }
}

/** An automatic charge of the open period succeeded. */
export function chargeSucceeded<As extends Standing>(standing: As, at: Date, recorded: Bounds): Payment<As> {
  const { to, emits } = subscriptionMachine.require(standing.status, "charged")
  const bounds = hasEnded(standing) ? recorded : openBounds(standing, at)
  return { next: { ...takePayment(standing, bounds, bounds.start <= at), status: to }, emits, bounds }
}

/**
 * An automatic charge of the open period failed; `retryAt` is null after the last one, `giveUp` what then follows. One
 * that somebody made before the next retry was due is beside the schedule, and leaves it as it is.
 */
export function chargeFailed<As extends Standing>(
  standing: As,
  at: Date,
  retryAt: (firstFailure: Date, failures: number) => Date | null,
  giveUp: boolean
): Change<As> {
  const { to, emits } = subscriptionMachine.require(standing.status, "charge_failed")
  if (to !== "PAST_DUE") {
    return { next: standing, emits }
  }
  if (standing.status === "PAST_DUE" && (standing.retry_at === null || at < standing.retry_at)) {
    return { next: standing, emits }
  }
  const since = standing.past_due_since ?? at
  const failures = standing.failed_payment_count + 1
  const retry_at = retryAt(since, failures)
  const failed = enterOpen({ ...standing, failed_payment_count: failures, past_due_since: since, retry_at, status: to })
  if (retry_at !== null || !giveUp) {
    return { next: failed, emits }
  }
  const row = subscriptionMachine.require("PAST_DUE", "give_up")
  // The row tells of the failure too; out of a trial its end is told besides.
  const told = [...emits.filter((event) => !row.emits.includes(event)), ...row.emits]
  return { next: { ...ended(failed, at), status: row.to, cancellation_reason: "payment_failed" }, emits: told }
}

/**
 * The open period begins and is neither delivered nor charged; the next one is due when it would have been anyway
 * (decisions: Store). A trial, or a payment that is overdue, ends with it: nothing is owed any more.
 */
export function skipOpen<As extends Standing>(standing: As, at: Date): Payment<As> {
  const { to, emits } = subscriptionMachine.require(standing.status, "skip")
  const period = openPeriod(standing)
  const bounds = openBounds(standing, at)
  const next: As = { ...standing, ...PAID_UP, status: to, paid_period: period, next_billing_date: bounds.end }
  return { next: enter(next, period, bounds), emits, bounds }
}

/** The trial is over and its first full period is paid already. */
export function endTrial<As extends Standing>(standing: As, bounds: Bounds): Change<As> {
  const { to, emits } = subscriptionMachine.require(standing.status, "end_trial")
  return { next: { ...enter(standing, 1, bounds), status: to }, emits }
}

/** The current period is over and the next one is paid already. */
export function rollOver<As extends Standing>(standing: As, bounds: Bounds): As {
  return enter(standing, standing.current_period + 1, bounds)
}

export function tellTrialEnding<As extends Standing>(standing: As): Change<As> {
  return { next: { ...standing, trial_ending_told: true }, emits: [TRIAL_ENDING] }
}

export function pause<As extends Standing>(standing: As, at: Date): Change<As> {
  const { to, emits } = subscriptionMachine.require(standing.status, "pause")
  return { next: { ...standing, status: to, paused_at: at }, emits }
}

/** The days that were left are left again: every date moves by the length of the pause (decisions: Plans). */
export function resume<As extends Standing>(standing: As, at: Date): Change<As> {
  const { to, emits } = subscriptionMachine.require(standing.status, "resume")
  return { next: { ...resumed(standing, at), status: to }, emits }
}

/** How long a pause that ends at `at` was, in milliseconds; 0 when there is none. */
export function pauseLength(standing: Standing, at: Date): number {
  return standing.paused_at === null ? 0 : at.getTime() - standing.paused_at.getTime()
}

/**
 * Ends the subscription now, or with what is paid for. One that nothing is paid for has nothing to use up; a pause
 * ends first, so that its days are not lost.
 */
export function cancel<As extends Standing>(
  standing: As,
  at: Date,
  wish: { atPeriodEnd: boolean; reason: string | null }
): Change<As> {
  const { to, emits } = subscriptionMachine.require(standing.status, "cancel")
  const awake = resumed(standing, at)
  const paidUntil = awake.paid_period > awake.current_period ? awake.next_billing_date : awake.current_period_end
  const lasts = wish.atPeriodEnd && paidUntil !== null && paidUntil > at
  const next = lasts ? { ...ended(awake, at), current_period_end: paidUntil } : ended(awake, at)
  return {
    next: { ...next, status: to, cancel_at_period_end: wish.atPeriodEnd, cancellation_reason: wish.reason },
    emits,
  }
}

export function expire<As extends Standing>(standing: As, at: Date): Change<As> {
  const { to, emits } = subscriptionMachine.require(standing.status, "expire")
  return { next: { ...standing, status: to, ended_at: at }, emits }
}

/** New terms hold from the next cycle on: what has begun, and what is paid, keeps its dates (decisions: Plans). */
export function changeTerms<As extends Standing>(
  standing: As,
  terms: Partial<Interval & { amount_minor: number }>
): As {
  const next = { ...standing, ...terms }
  const sameInterval = next.interval_count === standing.interval_count && next.interval_unit === standing.interval_unit
  if (sameInterval || standing.next_billing_date === null) {
    return next
  }
  const inOpenPeriod = standing.current_period > standing.paid_period
  const at = inOpenPeriod ? standing.current_period_end : standing.next_billing_date
  return at === null ? next : { ...next, anchor_at: at, anchor_period: openPeriod(standing) + (inOpenPeriod ? 1 : 0) }
}

function startTrial<As extends Standing>(standing: As, at: Date, on: SubscriptionTrigger): Change<As> {
  const { to, emits } = subscriptionMachine.require(standing.status, on)
  const end = trialEnd(at, standing.trial_period_days ?? 0)
  const short = trialNoticeAt(end) <= at
  const next: As = {
    ...standing,
    status: to,
    trial_end_date: end,
    trial_ending_told: short,
    anchor_at: end,
    anchor_period: 1,
    current_period_start: at,
    current_period_end: end,
    next_billing_date: end,
  }
  return { next, emits: short ? [...emits, TRIAL_ENDING] : emits }
}

/** Marks the open period as paid; it becomes the current one when it has begun, and waits its turn otherwise. */
function takePayment<As extends Standing>(standing: As, bounds: Bounds, begins: boolean): As {
  const period = openPeriod(standing)
  const paid: As = {
    ...standing,
    ...PAID_UP,
    paid_period: period,
    billing_cycle_count: standing.billing_cycle_count + (period > 0 ? 1 : 0),
  }
  if (hasEnded(standing)) {
    return { ...paid, ...usableUntil(standing, bounds.end) }
  }
  const scheduled = { ...paid, ...anchoredAt(standing, bounds.start), next_billing_date: bounds.end }
  return begins ? enter(scheduled, period, bounds) : scheduled
}

/** The first paid period is the anchor of all that follow (decisions: Plans). */
function anchoredAt(standing: Standing, start: Date): Pick<Standing, "anchor_at" | "anchor_period"> {
  const { anchor_at, anchor_period } = standing
  return anchor_at === null ? { anchor_at: start, anchor_period: openPeriod(standing) } : { anchor_at, anchor_period }
}

function hasEnded({ status }: Standing): boolean {
  return status === "CANCELLED" || status === "EXPIRED"
}

/** A charge of which is heard after a cancellation at the period's end has paid for one more period. */
function usableUntil(standing: Standing, end: Date): Partial<Standing> {
  return standing.status === "CANCELLED" && standing.cancel_at_period_end ? { current_period_end: end } : {}
}

/** The open period begins although it is not paid. */
function enterOpen<As extends Standing>(standing: As): As {
  const period = openPeriod(standing)
  if (standing.current_period === period || standing.next_billing_date === null) {
    return standing
  }
  return enter(standing, period, openBounds(standing, standing.next_billing_date))
}

function enter<As extends Standing>(standing: As, period: number, { start, end }: Bounds): As {
  return { ...standing, current_period: period, current_period_start: start, current_period_end: end }
}

function resumed<As extends Standing>(standing: As, at: Date): As {
  const length = pauseLength(standing, at)
  const moved = (date: Date | null) => (date === null ? null : shifted(date, length))
  return {
    ...standing,
    paused_at: null,
    anchor_at: moved(standing.anchor_at),
    current_period_end: moved(standing.current_period_end),
    next_billing_date: moved(standing.next_billing_date),
  }
}

function ended<As extends Standing>(standing: As, at: Date): As {
  return {
    ...standing,
    ...PAID_UP,
    failed_payment_count: standing.failed_payment_count,
    cancelled_at: at,
    current_period_end: standing.current_period_start === null ? null : latest(standing.current_period_start, at),
    next_billing_date: null,
  }
}

function latest(left: Date, right: Date): Date {
  return left > right ? left : right
}
