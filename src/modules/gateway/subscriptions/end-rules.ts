import { messageOf } from "../../../i18n/message"
import { periodStart, shifted } from "../kernel/money/calendar"
import { fault, GatewayError, validationError } from "../kernel/errors"
import { openAnchor, openBounds, openPeriod, type Bounds, type End, type Lifecycle, type NewTerms } from "./lifecycle"
import { subscriptionMachine } from "./states"

/**
 * The end of a subscription (docs/decisions/11, "An end"): after so many full periods that are paid (`billing_cycles`),
 * or with the period that contains a moment (`ends_at`).
 */

/** What a request says of the end. Null takes a member away, an absent one stays. At most one is set. */
export type EndChange = { billing_cycles?: number | null; ends_at?: Date | null }
/** An end as it was: what a change that is taken back has replaced. */
export type FormerEnd = Pick<End, "billing_cycles" | "ends_at" | "has_own_end">

/** How many of `billing_cycles` are paid. */
export function cyclesPaid({ billing_cycle_count, cycles_before }: Lifecycle): number {
  // Less than none: the overdue period of the plan before is still to be paid.
  return Math.max(0, billing_cycle_count - cycles_before)
}

/** The rest of a period, after a switch of plan, is no full period: its payment does not count. */
export function paidWithRest({ cycles_before, open_price_minor }: Lifecycle): number {
  return cycles_before + (open_price_minor === null ? 0 : 1)
}

/** The open period has begun unpaid, or is the rest of one: it comes, whatever the end is. */
function hasBegun(lifecycle: Lifecycle): boolean {
  return lifecycle.open_price_minor !== null || isOverdue(lifecycle)
}

function isOverdue(lifecycle: Lifecycle): boolean {
  return lifecycle.current_period === openPeriod(lifecycle) && lifecycle.current_period_start !== null
}

/** When the open period begins if it is paid at `at`: a pause moves its date. */
function openStart({ next_billing_date: next, paused_at }: Lifecycle, at: Date): Date {
  if (next === null) {
    return at
  }
  return paused_at === null ? next : shifted(next, at.getTime() - paused_at.getTime())
}

/**
 * Whether no period follows those that are paid: all of `billing_cycles` are, or the open one would begin at or after
 * `ends_at`. Terms that are scheduled for the open period count. `at` matters while nothing has begun, and in a pause.
 */
export function isComplete(lifecycle: Lifecycle, at: Date = lifecycle.paused_at ?? lifecycle.opened_at): boolean {
  if (hasBegun(lifecycle)) {
    return false
  }
  const { scheduled_change: terms } = lifecycle
  const { billing_cycles, ends_at, cycles_before } = terms === null ? lifecycle : endUnder(lifecycle, terms)
  const isPaid = billing_cycles !== null && lifecycle.billing_cycle_count - cycles_before >= billing_cycles
  return isPaid || (ends_at !== null && openStart(lifecycle, at) >= ends_at)
}

/** Whether the open period, with these bounds, is the last one. */
export function isLastPeriod(lifecycle: Lifecycle, { end }: Bounds): boolean {
  const period = openPeriod(lifecycle)
  return isComplete({
    ...lifecycle,
    cycles_before: paidWithRest(lifecycle),
    billing_cycle_count: lifecycle.billing_cycle_count + (period > 0 ? 1 : 0),
    open_price_minor: null,
    paid_period: period,
    next_billing_date: end,
    paused_at: null,
  })
}

/** Whether an open invoice is outdated by another end: its period does not come, or is the last one now, or no more. */
export function isOtherEnd(before: Lifecycle, after: Lifecycle, at: Date): boolean {
  const bounds = openBounds(after, at)
  return (
    isComplete(before, at) !== isComplete(after, at) || isLastPeriod(before, bounds) !== isLastPeriod(after, bounds)
  )
}

/** When the subscription is charged next; null when no period follows. */
export function chargedNext(lifecycle: Lifecycle): Date | null {
  return isComplete(lifecycle) ? null : lifecycle.next_billing_date
}

/** The last period is over: the subscription has ended by itself. Errors: INVALID_STATE_TRANSITION. */
export function complete<As extends Lifecycle>(lifecycle: As, at: Date): { next: As; emits: readonly string[] } {
  const { to, emits } = subscriptionMachine.require(lifecycle.status, "complete")
  return { next: { ...lifecycle, status: to, next_billing_date: null, scheduled_change: null, ended_at: at }, emits }
}

/** Whether a plan's cycles count from these terms on. An own end stays, and so does that of the same plan. */
export function restartsCycles({ has_own_end }: Lifecycle, { billing_cycles }: NewTerms): boolean {
  return billing_cycles !== undefined && !has_own_end
}

/** The end under new terms. */
export function endUnder(lifecycle: Lifecycle, terms: NewTerms): End {
  const { has_own_end, ends_at, billing_cycle_count, cycles_before, billing_cycles } = lifecycle
  return restartsCycles(lifecycle, terms)
    ? { has_own_end, ends_at: null, cycles_before: billing_cycle_count, billing_cycles: terms.billing_cycles ?? null }
    : { has_own_end, ends_at, cycles_before, billing_cycles }
}

/** New terms are for periods to come. Errors: INVALID_STATE_TRANSITION when none follows. */
export function requireFollowing<As extends Lifecycle>(lifecycle: As, at?: Date): As {
  if (isComplete(lifecycle, at)) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.change_after_end"))
  }
  return lifecycle
}

/**
 * Gives the subscription an end of its own at `now`, or takes one away. Errors: VALIDATION_ERROR, with the limit, for
 * fewer cycles than are paid or have begun, and for a moment that is past or before periods that are paid ahead end.
 */
export function changeEnd<As extends Lifecycle>(lifecycle: As, change: EndChange, now: Date): As {
  const { billing_cycles, ends_at } = change
  if (typeof billing_cycles === "number") {
    const min = Math.max(
      1,
      cyclesPaid(lifecycle) + (isOverdue(lifecycle) && lifecycle.open_price_minor === null ? 1 : 0)
    )
    if (billing_cycles < min) {
      throw validationError([fault("billing_cycles", messageOf("rule.cycles_min", { min: String(min) }))])
    }
    return { ...lifecycle, billing_cycles, ends_at: null, has_own_end: true }
  }
  if (ends_at instanceof Date) {
    const isAhead = lifecycle.paid_period > lifecycle.current_period
    const start = isAhead ? openStart(lifecycle, now) : now
    if (ends_at < start || ends_at <= now) {
      const min = (start > now ? start : now).toISOString()
      throw validationError([fault("ends_at", messageOf("rule.ends_at_min", { min }))])
    }
    return { ...lifecycle, ends_at, billing_cycles: null, has_own_end: true }
  }
  const left = {
    billing_cycles: billing_cycles === null ? null : lifecycle.billing_cycles,
    ends_at: ends_at === null ? null : lifecycle.ends_at,
  }
  const hasEnd = left.billing_cycles !== null || left.ends_at !== null
  return { ...lifecycle, ...left, has_own_end: hasEnd && lifecycle.has_own_end }
}

/**
 * When the last period ends, if nothing changes. Null: there is no end, or it cannot be said: before the first period,
 * in a pause, while other terms are scheduled, and beyond the year 275,760.
 */
export function lastPeriodEnd(lifecycle: Lifecycle): Date | null {
  const { status, billing_cycles, ends_at, next_billing_date: next, scheduled_change, time_zone } = lifecycle
  const isFixed = status === "ACTIVE" || status === "TRIALING" || status === "PAST_DUE"
  if (!isFixed || next === null || scheduled_change !== null || (billing_cycles === null && ends_at === null)) {
    return null
  }
  if (isComplete(lifecycle)) {
    return next
  }
  const { anchor_at, anchor_period } = openAnchor(lifecycle, next)
  const startOf = (period: number) =>
    periodStart({ at: anchor_at, period: anchor_period }, lifecycle, period, time_zone)
  const open = openPeriod(lifecycle)
  if (billing_cycles !== null) {
    // An overdue period of the plan before, and the rest of a period, come beside them.
    const left = billing_cycles - (lifecycle.billing_cycle_count - lifecycle.cycles_before)
    return unlessTooFar(startOf(open + left + (lifecycle.open_price_minor === null ? 0 : 1)))
  }
  return ends_at === null ? null : unlessTooFar(startOf(firstFrom(startOf, open + 1, ends_at)))
}

/** A thousand periods of hundreds of years end beyond what a date can be. */
function unlessTooFar(end: Date): Date | null {
  return Number.isNaN(end.getTime()) ? null : end
}

/** The first period from `least` on that begins at `moment` or later, by doubling and halving: there may be thousands. */
function firstFrom(startOf: (period: number) => Date, least: number, moment: Date): number {
  let step = 1
  while (startOf(least + step - 1) < moment) {
    step *= 2
  }
  let low = least + Math.floor(step / 2) - 1
  let high = least + step - 1
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (startOf(middle) < moment) {
      low = middle
    } else {
      high = middle
    }
  }
  return high
}

/** The members of an end in answers and events: none without one. Times are ISO texts. */
export function endMembers(lifecycle: Lifecycle): EndMembers {
  const { billing_cycles, ends_at } = lifecycle
  const end = lastPeriodEnd(lifecycle)
  return {
    ...(billing_cycles === null ? {} : { billing_cycles, billing_cycles_paid: cyclesPaid(lifecycle) }),
    ...(ends_at === null ? {} : { ends_at: ends_at.toISOString() }),
    ...(end === null ? {} : { last_period_end: end.toISOString() }),
  }
}

export type EndMembers = {
  billing_cycles?: number
  billing_cycles_paid?: number
  ends_at?: string
  last_period_end?: string
}
