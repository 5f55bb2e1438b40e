import { isDeepStrictEqual } from "node:util"
import { messageOf, type Message } from "../../../i18n/message"
import { daysBetween, isSameInterval, periodStart, type Interval } from "../kernel/money/calendar"
import { GatewayError } from "../kernel/errors"
import type { PlanNames } from "../plans/rules"
import { periodOf, type Credit } from "./credit-rules"
import { endUnder, isComplete, requireFollowing, restartsCycles } from "./end-rules"
import { openAnchor, openBounds, openPeriod, type Bounds, type Lifecycle, type NewTerms } from "./lifecycle"
import type { BillingRecord, SubscriptionRow } from "./records"

/** A lifecycle with the plan that it is on. */
type Planned = Lifecycle & PlanNames & Pick<NewTerms, "plan_id" | "plan_number">

/** When new terms begin: at once, or with the next period. */
export const BEGINNINGS = ["now", "period_end"] as const
export type Beginning = (typeof BEGINNINGS)[number]

/** `credit`: unused days of the paid period are taken off what is due. `none`: nothing is due before the next period. */
export const PRORATIONS = ["credit", "none"] as const
export type Proration = (typeof PRORATIONS)[number]

/**
 * New terms apply from the next cycle on: a period that has begun or is paid keeps its dates (decisions: Plans). With
 * another interval, the rest of a period that is still to be paid is a whole period.
 */
export function changeTerms<As extends Lifecycle>(
  lifecycle: As,
  terms: Partial<Interval & { amount_minor: number; quantity: number }>
): As {
  const next = { ...lifecycle, ...terms }
  if (isSameInterval(lifecycle, next) || lifecycle.next_billing_date === null) {
    return next
  }
  const inOpenPeriod = lifecycle.current_period > lifecycle.paid_period
  const at = inOpenPeriod ? lifecycle.current_period_end : lifecycle.next_billing_date
  const price = inOpenPeriod ? {} : { open_price_minor: null }
  const anchor = { anchor_at: at, anchor_period: openPeriod(lifecycle) + (inOpenPeriod ? 1 : 0) }
  return at === null ? next : { ...next, ...price, ...anchor }
}

/** A charge may have been waited for: nothing is switched before the period that has begun with it. */
export function momentOf({ current_period_start: start }: Lifecycle, { now }: { now: Date }): Date {
  return start !== null && start > now ? start : now
}

/** Whether the open period is to be paid now, on the new terms. */
export function isDue({ status, next_billing_date }: Lifecycle, at: Date, proration: Proration): boolean {
  const isOverdue = status === "PAST_DUE" && proration === "credit"
  return isOverdue || (status === "ACTIVE" && next_billing_date !== null && next_billing_date <= at)
}

/** Whether these are the terms that hold already. */
export function areTerms(row: Planned, { plan_id, amount_minor, quantity, ...interval }: NewTerms): boolean {
  const isSamePrice = row.amount_minor === amount_minor && row.quantity === quantity
  return row.plan_id === plan_id && isSamePrice && isSameInterval(row, interval)
}

/**
 * What was paid for the current period and not given back, in poisha, and the period as it was bought: a pause makes it
 * end later, and buys no days. `quantity`: for how many. The plan is that of the payment: a switch without proration
 * may have replaced it since.
 */
export type Bought = { value: number; quantity: number } & PlanNames & Bounds

/**
 * Changes the terms at `at`, on the merchant's clock (docs/decisions/11).
 *
 * A period that runs and is paid ends: its unused days, the day of the change among them, become a credit, and the open
 * period begins. With the same interval it is the rest of the old one, at the new price for these days; with another it
 * is a whole one, which is the new anchor. A period that has failed is asked for again, on the new terms. Where nothing
 * is paid, in a trial and without proration, the new terms hold from the next period on. Errors:
 * INVALID_STATE_TRANSITION.
 */
export function switchNow<As extends Planned>(
  row: As,
  terms: NewTerms,
  { at, bought, proration }: { at: Date; bought: Bought; proration: Proration }
): As {
  requireSwitchable(row, proration)
  return requireFollowing(switched(row, terms, { at, bought, proration }), at)
}

function switched<As extends Planned>(
  row: As,
  terms: NewTerms,
  { at, bought, proration }: { at: Date; bought: Bought; proration: Proration }
): As {
  const { status, current_period_start: start, current_period_end: end } = row
  const ending = endUnder(row, terms)
  const changed: As = { ...changeTerms(row, terms), ...terms, ...ending, scheduled_change: null }
  if (proration === "none" && status === "PAST_DUE" && restartsCycles(row, terms)) {
    // The overdue period stays one of the terms that it was asked for on.
    return { ...changed, cycles_before: row.billing_cycle_count + 1 }
  }
  if (proration === "none" || status === "PENDING" || status === "TRIALING" || start === null || end === null) {
    return changed
  }
  if (status === "PAST_DUE" || row.open_price_minor !== null || end <= at) {
    return reopened(row, changed, at)
  }
  const credit = unused(row, bought, { start: at, end })
  const closed: As = {
    ...row,
    ...terms,
    ...ending,
    scheduled_change: null,
    credits: credit.amount_minor === 0 ? row.credits : [...row.credits, credit],
    current_period_end: at,
    next_billing_date: at,
  }
  const period = openPeriod(row)
  const anchor = openAnchor(row, at)
  const after = { anchor_at: anchor.anchor_at, anchor_period: anchor.anchor_period + 1 }
  const price = isSameInterval(row, terms) ? priceOfRest({ ...closed, ...after }, { start: at, end }) : null
  // On its first day, all days of the period are left: it is one of the new plan's cycles, and no rest.
  const isCycle = price === terms.amount_minor && closed.billing_cycles !== null && restartsCycles(row, terms)
  return price === null
    ? { ...closed, open_price_minor: null, anchor_at: at, anchor_period: period }
    : { ...closed, open_price_minor: isCycle ? null : price, ...after }
}

/**
 * The open period, unpaid, on other terms. With another interval an overdue one begins anew, so that no period that is
 * over already is charged after it.
 */
function reopened<As extends Planned>(row: As, changed: As, at: Date): As {
  const bounds = openBounds(row, at)
  const period = openPeriod(row)
  const isRest = row.open_price_minor !== null
  const price = isRest ? priceOfRest(changed, bounds) : null
  // An anchor that lies ahead: the open period has another length than the interval says.
  const isAsLong = isRest ? price !== null : row.anchor_period <= period
  if (isSameInterval(row, changed) && isAsLong) {
    return { ...changed, open_price_minor: price }
  }
  const hasBegun = row.current_period === period
  const anchor = { at: hasBegun ? at : bounds.start, period }
  const begun = {
    current_period_start: at,
    current_period_end: periodStart(anchor, changed, period + 1, row.time_zone),
    next_billing_date: at,
  }
  return {
    ...changed,
    open_price_minor: null,
    anchor_at: anchor.at,
    anchor_period: period,
    ...(hasBegun ? begun : {}),
  }
}

/**
 * The share of the price for the last days of the period that ends where the one after the open one begins, in poisha.
 * Null: more days are left than a whole period has.
 */
function priceOfRest(lifecycle: Lifecycle, { start, end }: Bounds): number | null {
  const { anchor_at, anchor_period, time_zone } = lifecycle
  const anchor = { at: anchor_at ?? end, period: anchor_at === null ? openPeriod(lifecycle) + 1 : anchor_period }
  const whole = daysBetween(periodStart(anchor, lifecycle, openPeriod(lifecycle), time_zone), end, time_zone)
  const days = daysBetween(start, end, time_zone)
  return days > whole ? null : share(lifecycle.amount_minor, days, whole)
}

function unused(row: Planned, bought: Bought, rest: Bounds): Credit {
  const { time_zone } = row
  const all = daysBetween(bought.start, bought.end, time_zone)
  const days = Math.min(daysBetween(rest.start, rest.end, time_zone), all)
  return { ...periodOf(bought, rest), amount_minor: share(bought.value, days, all) }
}

/** A part of a sum by days, rounded to the hundredth. */
function share(sum: number, days: number, of: number): number {
  return of === 0 ? 0 : Math.round((sum * days) / of)
}

/**
 * A change that begins now needs a period to compare with. Errors: INVALID_STATE_TRANSITION for a paused subscription,
 * one whose next period is paid, and one that has ended.
 */
function requireSwitchable(row: Lifecycle, proration: Proration): void {
  const { status } = row
  if (status === "CANCELLED" || status === "EXPIRED") {
    throw refusal(messageOf("refusal.subscription_not_changeable", { state: status }))
  }
  if (proration === "credit" && status === "PAUSED") {
    throw refusal(messageOf("refusal.change_paused"))
  }
  if (proration === "credit" && row.paid_period > row.current_period) {
    throw refusal(messageOf("refusal.change_paid_ahead"))
  }
}

/**
 * Changes the terms when the open period begins; until then the old ones hold. Errors: INVALID_STATE_TRANSITION, also
 * while the rest of a period, after a switch, is still to be paid.
 */
export function schedule<As extends Planned>(row: As, terms: NewTerms): As {
  if (row.status !== "ACTIVE" && row.status !== "TRIALING" && row.status !== "PAUSED") {
    throw refusal(messageOf("refusal.change_not_schedulable", { state: row.status }))
  }
  if (row.open_price_minor !== null) {
    throw refusal(messageOf("refusal.subscription_being_paid"))
  }
  return areTerms(row, terms)
    ? { ...row, scheduled_change: null }
    : requireFollowing({ ...row, scheduled_change: terms })
}

/**
 * The terms that begin with the next period; null: no others. Those of a cancelled subscription begin only once the
 * cancellation is undone.
 */
export function nextTerms({ status, scheduled_change }: Pick<Planned, "status" | "scheduled_change">): NewTerms | null {
  return status === "CANCELLED" ? null : scheduled_change
}

/** The scheduled terms begin, with the open period. */
export function beginScheduled<As extends Planned>(row: As): As {
  const { scheduled_change: terms } = row
  return terms === null
    ? row
    : { ...changeTerms(row, terms), ...terms, ...endUnder(row, terms), scheduled_change: null }
}

/**
 * The open period is to be paid at `at`, `amount_minor` poisha. Errors: INVALID_STATE_TRANSITION when credits pay it,
 * when its terms are about to change, and when the subscription ends before it.
 */
export function requireToPay(lifecycle: Lifecycle, amount_minor: number, at: Date): void {
  if (isComplete(lifecycle, at)) {
    throw refusal(messageOf("refusal.no_period_follows"))
  }
  if (lifecycle.scheduled_change !== null) {
    throw refusal(messageOf("refusal.change_scheduled"))
  }
  if (amount_minor === 0) {
    throw refusal(messageOf("refusal.period_covered"))
  }
}

/**
 * Terms that are scheduled take the place of all others when they begin: a change until then would be lost without a
 * word. Errors: INVALID_STATE_TRANSITION.
 */
export function requireNothingScheduled({ scheduled_change }: Lifecycle, terms: object): void {
  if (scheduled_change !== null && Object.values(terms).some((value) => value !== undefined)) {
    throw refusal(messageOf("refusal.change_waits"))
  }
}

/** Somebody may have changed the subscription since its row was read. Errors: INVALID_STATE_TRANSITION. */
export function requireUnchanged(row: SubscriptionRow, expected: Partial<SubscriptionRow>): void {
  if (!isDeepStrictEqual({ ...row, ...expected }, row)) {
    throw refusal(messageOf("refusal.subscription_changed_since"))
  }
}

/**
 * A payment of the open period may be under way: what it pays for comes, and keeps the length that its payer agreed to.
 * The rest of the last period cannot become a whole one. Errors: INVALID_STATE_TRANSITION.
 */
export function requireAgreedLength(row: SubscriptionRow, next: SubscriptionRow, record: BillingRecord | null): void {
  if (row.open_price_minor !== null) {
    requireFollowing(next)
  }
  if ((!isSameInterval(row, next) || isComplete(next)) && record?.status === "PROCESSING") {
    throw refusal(messageOf("refusal.subscription_being_paid"))
  }
}

function refusal(reason: Message): GatewayError {
  return new GatewayError("INVALID_STATE_TRANSITION", reason)
}
