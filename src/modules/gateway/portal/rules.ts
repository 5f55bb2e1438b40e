import type { Environment } from "../kernel/money/clock"
import { subscriptionMachine, type SubscriptionState, type SubscriptionTrigger } from "../subscriptions/states"
import { methodChangeOf, type MethodChange } from "../subscriptions/verification-rules"

/** What a customer may do with a subscription now. Cancelling takes effect at the end of what is paid for. */
type PortalActions = { pause: boolean; resume: boolean; cancel: boolean; method: MethodChange | null }

/** `payment_under_way`: a payment of the subscription whose outcome is not known yet. */
export function actionsOf(subscription: { status: SubscriptionState; payment_under_way: boolean }): PortalActions {
  const { status, payment_under_way } = subscription
  const may = (on: SubscriptionTrigger) => subscriptionMachine.find(status, on) !== null
  return {
    pause: may("pause"),
    resume: may("resume"),
    cancel: may("cancel"),
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
