import type { Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import type { PortalSubscription, ChargedMethod } from "../../../modules/gateway/portal/account"
import { localDate, localDigits, money } from "../../../i18n/formats"
import { planName } from "../../../modules/gateway/plans/rules"
import { cancel } from "../../../modules/gateway/subscriptions/rules"
import type { SubscriptionState } from "../../../modules/gateway/subscriptions/states"
import type { Visitor } from "../../pay/http/visitor"
import { nameOf } from "../../pay/view/saved"

/** The query with which another page of ours opens in the language that the customer has chosen here. */
export function chosenLanguage({ isOwnLanguage, language }: Pick<Visitor, "isOwnLanguage" | "language">): string {
  return isOwnLanguage ? `?lang=${language}` : ""
}

/** The host of an address, as people name a site. */
export function siteOf(url: string): string {
  return new URL(url).host
}

/** What a subscription is called: its plan, or its number. */
export function subscriptionName(subscription: PortalSubscription, language: Language): string {
  const number = localDigits(String(subscription.number), language)
  return planName(subscription, language) ?? textsOf("portal", language)("subscriptionOf", { number })
}

/** "৳500.00 every month" */
export function priceOf(subscription: PortalSubscription, language: Language): string {
  const { amount_minor, currency, interval_count: count, interval_unit } = subscription
  const number = localDigits(String(count), language)
  const every = textsOf("pay", language)(`renewal.every.${interval_unit}`, { count, number })
  return textsOf("portal", language)("price", { amount: money(amount_minor, currency, language), every })
}

export function methodName(
  method: Pick<ChargedMethod, "service" | "brand" | "last_four" | "account">,
  language: Language
): string {
  return nameOf({ t: textsOf("pay", language), language }, method)
}

/** Until when a subscription can be used if it is cancelled now; null: it ends at once. By the rule that cancels it. */
export function usableUntil(subscription: PortalSubscription, now: Date): Date | null {
  const { current_period_end: end } = cancel(subscription, now, { atPeriodEnd: true, reason: null }).next
  return end !== null && end > now ? end : null
}

/** Nothing is due any more, or not until the customer resumes it. */
const AT_REST: readonly SubscriptionState[] = ["PAUSED", "CANCELLED", "EXPIRED"]

/**
 * One sentence about what happens next. While the outcome of a payment is not known, the date of the next one may be
 * past.
 */
export function outlookOf(subscription: PortalSubscription, language: Language): string {
  const { status, next_billing_date, retry_at, current_period_end, trial_end_date } = subscription
  const t = textsOf("portal", language)
  if (subscription.payment_under_way && !AT_REST.includes(status)) {
    return t("now.confirming")
  }
  const on = (date: Date) => ({ date: localDate(date, language) })
  switch (status) {
    case "ACTIVE":
      return next_billing_date === null ? t("statuses.ACTIVE") : t("next.ACTIVE", on(next_billing_date))
    case "TRIALING":
      return trial_end_date === null ? t("statuses.TRIALING") : t("next.TRIALING", on(trial_end_date))
    case "PAST_DUE":
      return retry_at === null ? t("now.PAST_DUE") : t("next.PAST_DUE", on(retry_at))
    case "CANCELLED":
      return current_period_end === null || !subscription.cancel_at_period_end
        ? t("now.CANCELLED")
        : t("next.CANCELLED", on(current_period_end))
    case "PENDING":
    case "PAUSED":
    case "EXPIRED":
      return t(`now.${status}`)
  }
}
