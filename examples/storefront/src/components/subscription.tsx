import { h, type View } from "../lib/dom"
import { brandName, day, taka, whole } from "../lib/format"
import type { Subscription } from "../store/subscriptions"
import { language, t } from "../text"
import { everyOf } from "./plan"

export const titleOf = ({ plan_name, plan_name_bn }: Pick<Subscription, "plan_name" | "plan_name_bn">): string =>
  (language === "bn" && plan_name_bn) || plan_name || t.subscription.unnamed

/** "৳670.00 every month, with ৳70.00 for delivery", "৳1,200.00 every month (2 pieces)" */
export function priceText(subscription: Subscription): string {
  const every = t.plan.price(taka(Number(subscription.amount)), everyOf(subscription))
  const delivery = Number(subscription.delivery_amount)
  const price = delivery > 0 ? t.plan.withDelivery(every, taka(delivery)) : every
  return subscription.quantity > 1 ? `${price} (${t.subscription.pieces(whole(subscription.quantity))})` : price
}

/** The end of the paid time that is still ahead; null when there is none. */
const usableUntil = ({ current_period_end, time_zone }: Subscription): string | null =>
  current_period_end && new Date(current_period_end) > new Date() ? day(current_period_end, time_zone) : null

/** When the next payment is due, or why there is none. */
export function nextPaymentText(subscription: Subscription): string {
  const { status, next_billing_date: next, retry_at: retry, trial_end_date: trialEnd, time_zone } = subscription
  const { amount } = subscription.scheduled_change ?? subscription
  const words = t.subscription.state
  const on = next ? t.subscription.nextOn(taka(Number(amount)), day(next, time_zone)) : ""
  switch (status) {
    case "ACTIVE":
      return on || words.complete(day(subscription.last_period_end ?? "", time_zone))
    case "TRIALING":
      return [on, trialEnd ? words.trial(day(trialEnd, time_zone)) : ""].filter(Boolean).join(". ")
    case "PAUSED":
      return words.paused
    case "PAST_DUE":
      return retry ? `${words.pastDue} ${words.retry(day(retry, time_zone))}` : words.pastDue
    case "PENDING":
      return words.pending
    case "CANCELLED": {
      const until = usableUntil(subscription)
      return until ? words.until(until) : words.over
    }
    case "EXPIRED":
      return words.over
  }
}

/** "From 1 July: Large box, ৳970.00 every month"; empty: its plan stays. */
export function nextPlanText({ scheduled_change: next, next_billing_date, status, time_zone }: Subscription): string {
  if (!next || !next_billing_date) {
    return ""
  }
  const price = t.plan.price(taka(Number(next.amount)), everyOf(next))
  // The date of the next payment is known once it is resumed.
  return status === "PAUSED"
    ? t.subscription.nextPlanThen(titleOf(next), price)
    : t.subscription.nextPlanFrom(day(next_billing_date, time_zone), titleOf(next), price)
}

/** "3 of 12, ends on 1 July"; empty: it has no end of its own. */
export function endText({
  billing_cycles,
  billing_cycles_paid = 0,
  ends_at,
  last_period_end,
  time_zone,
}: Subscription): string {
  const words = t.subscription
  const end = last_period_end ? words.endsOn(day(last_period_end, time_zone)) : ""
  const from = ends_at && !end ? words.endsFrom(day(ends_at, time_zone)) : ""
  const paid = billing_cycles ? words.paidOf(whole(billing_cycles_paid), whole(billing_cycles)) : ""
  return [paid, end, from].filter(Boolean).join(", ")
}

export function instrumentText({ instrument }: Subscription): string {
  return instrument ? methodText(instrument) : t.subscription.noInstrument
}

type Method = { service: string; brand?: string | null; last_four?: string | null; account?: string | null }

/** "Visa ending in 4242", "bKash 017****5678" */
export function methodText(instrument: Method): string {
  if (instrument.last_four) {
    return t.subscription.endingIn(
      instrument.brand ? brandName(instrument.brand) : t.subscription.card,
      instrument.last_four
    )
  }
  const service = t.subscription.services[instrument.service] ?? instrument.service
  return instrument.account ? t.subscription.accountOf(service, instrument.account) : service
}

export function StatusMark({ of }: { of: Subscription }): View {
  return <span class={`status status-${of.status.toLowerCase()}`}>{t.subscription.status[of.status]}</span>
}
