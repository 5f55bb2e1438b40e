import type { Environment } from "../kernel/money/clock"
import { LIMITS } from "../kernel/limits"
import { mayUncancel } from "../subscriptions/cancellation-rules"
import type { Beginning } from "../subscriptions/change-rules"
import type { WantedChange } from "../subscriptions/asked-terms"
import { subscriptionMachine, type SubscriptionState, type SubscriptionTrigger } from "../subscriptions/states"
import { methodChangeOf, type MethodChange } from "../subscriptions/verification-rules"

/** What a customer may do with a subscription now. Cancelling takes effect at the end of what is paid for. */
type PortalActions = {
  pause: boolean
  resume: boolean
  cancel: boolean
  uncancel: boolean
  /** Whether it may be switched to another plan, if its plan has others in its family. */
  plan: boolean
  method: MethodChange | null
}

type Subject = Parameters<typeof mayUncancel>[0] & { source: "api" | "store"; payment_under_way: boolean }

const SWITCHED: readonly SubscriptionState[] = ["TRIALING", "ACTIVE", "PAST_DUE", "PAUSED"]

/** `payment_under_way`: a payment of the subscription whose outcome is not known yet. */
export function actionsOf(subscription: Subject, now: Date): PortalActions {
  const { status, source, payment_under_way } = subscription
  const may = (on: SubscriptionTrigger) => subscriptionMachine.find(status, on) !== null
  return {
    pause: may("pause"),
    resume: may("resume"),
    cancel: may("cancel"),
    uncancel: mayUncancel(subscription, now),
    // Goods change with the next period: one that is overdue has none.
    plan: !payment_under_way && SWITCHED.includes(status) && (source === "api" || status !== "PAST_DUE"),
    method: payment_under_way ? null : methodChangeOf(status),
  }
}

/** The page of a customer; whoever has its address acts as the customer. */
export function portalUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/portal/${token}`
}

/** Where a merchant's customers ask for a link by e-mail. */
export function portalLoginPath(tenant: { merchant_id: string; environment: Environment }): string {
  return `/portal/${tenant.merchant_id}${tenant.environment === "sandbox" ? "/sandbox" : ""}`
}

/** A plan, by its number, when it begins, and what was shown as due at once and as its price (hundredths). */
export type PlanSwitch = { plan: string; when: Beginning; due?: bigint; price?: bigint }

/** Plans with what they cost a subscription, for as many as it has; those that can be paid for so many. */
export function offeredPlans<Plan extends { amount_minor: number }>(plans: readonly Plan[], quantity: number) {
  return plans
    .map((plan) => ({ ...plan, amount_minor: plan.amount_minor * quantity, quantity }))
    .filter(({ amount_minor }) => amount_minor <= LIMITS.orderAmountMaxMinor)
}

/** The change that a customer asks for: of the plan alone. */
export function wantedOf({ plan: plan_id, when, due: shown_due, price: shown_amount }: PlanSwitch): WantedChange {
  const own = {
    amount: null,
    unit_amount: null,
    quantity: null,
    interval_count: null,
    interval_unit: null,
    isOwn: true,
  }
  return { plan_id, ...own, when, proration: "credit", shown_due, shown_amount }
}
