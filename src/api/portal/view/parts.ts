import { localDate, localDigits, money } from "../../../i18n/formats"
import type { Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import type { InvoiceDocument } from "../../../modules/gateway/invoices/documents/invoice-document"
import { type Markup, html } from "../../../modules/gateway/kernel/text/html"
import { descriptionIn, planName } from "../../../modules/gateway/plans/rules"
import type { ChargedMethod, PortalPayment, PortalSubscription } from "../../../modules/gateway/portal/account"
import { unitOf } from "../../../modules/gateway/subscriptions/quantity-rules"
import { chargedNext, cyclesPaid, isComplete, lastPeriodEnd } from "../../../modules/gateway/subscriptions/end-rules"
import { cancel } from "../../../modules/gateway/subscriptions/rules"
import type { SubscriptionState } from "../../../modules/gateway/subscriptions/states"
import type { Visitor } from "../../pay/http/request"
import { ICONS } from "../../pay/view/parts"
import { nameOf } from "../../pay/view/saved"
import type { PortalVisit } from "./page"
import { type ShownMerchant, portalDocument } from "./page"

/** The query with which another page of ours opens in the language that the customer has chosen here. */
export function chosenLanguage({ isOwnLanguage, language }: Pick<Visitor, "isOwnLanguage" | "language">): string {
  return isOwnLanguage ? `?lang=${language}` : ""
}

/** What a subscription is called: its plan, or its number, which people copy (docs/decisions/16). */
export function subscriptionName(subscription: PortalSubscription, language: Language): string {
  const number = String(subscription.number)
  return planName(subscription, language) ?? textsOf("portal", language)("subscriptionOf", { number })
}

type ShownTerms = Pick<
  PortalSubscription,
  "amount_minor" | "quantity" | "currency" | "interval_count" | "interval_unit"
> & {
  source?: PortalSubscription["source"]
}

/** "৳500.00 every month"; of several, with the price of one: "৳1,000.00 every month · 5 × ৳200.00" */
export function everyText(terms: ShownTerms, language: Language): string {
  const { amount_minor, currency, interval_count: count, interval_unit } = terms
  const number = localDigits(String(count), language)
  const every = textsOf("pay", language)(`renewal.every.${interval_unit}`, { count, number })
  const price = textsOf("portal", language)("price", { amount: money(amount_minor, currency, language), every })
  return [price, ...quantityText(terms, language)].join(" · ")
}

function quantityText({ source = "api", currency, ...price }: ShownTerms, language: Language): string[] {
  const number = localDigits(String(price.quantity), language)
  if (price.quantity === 1) {
    return []
  }
  return source === "store"
    ? [textsOf("portal", language)("quantity", { number })]
    : [`${number} × ${money(unitOf(price), currency, language)}`]
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
  const on = (date: Date) => ({ date: localDate(date, language, subscription.time_zone) })
  // A trial whose first period is paid already is charged like any other.
  const isPaidTrial =
    status === "TRIALING" && trial_end_date !== null && Number(next_billing_date) > Number(trial_end_date)
  const shown = isPaidTrial ? "ACTIVE" : status
  switch (shown) {
    case "ACTIVE":
      return next_billing_date === null
        ? t("statuses.ACTIVE")
        : t(chargedNext(subscription) === null ? "next.complete" : "next.ACTIVE", on(next_billing_date))
    case "TRIALING":
      return trial_end_date === null
        ? t("statuses.TRIALING")
        : t(chargedNext(subscription) === null ? "next.completeTrial" : "next.TRIALING", on(trial_end_date))
    case "PAST_DUE":
      return retry_at === null ? t("now.PAST_DUE") : t("next.PAST_DUE", on(retry_at))
    case "CANCELLED":
      return current_period_end === null || !subscription.cancel_at_period_end
        ? t("now.CANCELLED")
        : t("next.CANCELLED", on(current_period_end))
    case "PENDING":
    case "PAUSED":
    case "EXPIRED":
      return t(`now.${shown}`)
  }
}

/** "Payments made: 3 of 12. It ends on 1 July."; null: it has no end of its own. */
export function endText(subscription: PortalSubscription, language: Language): string | null {
  const { billing_cycles, ends_at, status, time_zone } = subscription
  const t = textsOf("portal", language)
  const number = (count: number) => localDigits(String(count), language)
  const isOver = status === "CANCELLED" || status === "EXPIRED"
  const end = isOver || isComplete(subscription) ? null : lastPeriodEnd(subscription)
  const parts = [
    billing_cycles !== null && t("end.cycles", { paid: number(cyclesPaid(subscription)), all: number(billing_cycles) }),
    end !== null && t("end.on", { date: localDate(end, language, time_zone) }),
    !isOver && end === null && ends_at !== null && t("end.from", { date: localDate(ends_at, language, time_zone) }),
  ].filter((part) => part !== false)
  return parts.length === 0 ? null : parts.join(" ")
}

/** An invoice with what its links need. */
export type PortalInvoice = { uuid: string; pay_token: string; document: InvoiceDocument }

const INVOICE_TONES = { open: "", overdue: "bad", paid: "good", void: "", closed: "" } as const
const PAYMENT_TONES = { PROCESSING: "", HELD: "", AUTHORIZED: "good", SUCCESS: "good", REFUNDED: "" } as const

export function invoiceRow({ path, visitor }: PortalVisit, { uuid, pay_token, document }: PortalInvoice): Markup {
  const { language } = visitor
  const t = textsOf("portal", language)
  const { number, total, status, displayStatus, payable, lines } = document
  const pay = html`<a href="/pay/invoice/${pay_token}${chosenLanguage(visitor)}">${t("payNow", { amount: total.value })}</a>`
  return html`<li class="row"><p class="name"><bdi>${number}</bdi></p><span class="amount">${total.value}</span>
<p><bdi>${lines.map(({ description, period }) => [description, period].filter((part) => part !== "").join(" · ")).join(", ")}${document.isLast && ` · ${t("end.last")}`}</bdi></p>
<span class="side"><span class="chip ${INVOICE_TONES[displayStatus]}">${status}</span></span>
<div class="links">${payable && pay}<a href="${path}/invoices/${uuid}/pdf?lang=${language}" aria-label="${t("pdfOf", { number })}" download>${t("pdf")}</a></div></li>`
}

export function paymentRow({ visitor, session }: PortalVisit, payment: PortalPayment): Markup {
  const { language } = visitor
  const t = textsOf("portal", language)
  const amount = (minor: number) => money(minor, payment.currency, language)
  const { state, source, refunded_minor, amount_minor } = payment
  const partly = state === "SUCCESS" && refunded_minor > 0
  return html`<li class="row"><p class="name"><bdi>${source === "verification" ? t("verification") : (descriptionIn(payment, language) ?? t("payment"))}</bdi></p><span class="amount">${amount(amount_minor)}</span>
<p>${localDate(payment.paid_at ?? payment.opened_at, language, session.time_zone)}${partly && html` · ${t("refundedPart", { amount: amount(refunded_minor) })}`}</p>
<span class="side"><span class="chip ${PAYMENT_TONES[state]}">${t(`paymentStates.${state}`)}</span></span></li>`
}

type Kind = "expired" | "left" | "unknown" | "missing" | "returned"

const MARKS = {
  expired: ICONS.clock,
  left: ICONS.done,
  unknown: ICONS.warning,
  missing: ICONS.warning,
  returned: ICONS.back,
} as const

/**
 * A page that says in a few words why there is nothing to see, with a way out: where to ask for a new link (`way`), the
 * merchant's site that the customer came from (`back`), or the overview of a link that works.
 */
export function statusPage(
  kind: Kind,
  input: {
    language: Language
    merchant: ShownMerchant | null
    way: string | null
    back?: string | null
    overview?: string
  }
): Markup {
  const { language, merchant, way, back = null, overview } = input
  const t = textsOf("portal", language)
  const title = kind === "returned" ? t("returned.title") : t(`ended.${kind}Title`)
  const text = kind === "returned" ? t("returned.text") : t(`ended.${kind}`)
  return portalDocument({
    language,
    merchant,
    title,
    path: "",
    body: html`<div class="panel status"><div class="status-mark">${MARKS[kind]}</div>
<h1>${title}</h1>
<p>${text}</p>
${overview !== undefined && html`<a class="button" href="${overview}">${t("overview")}</a>`}
${way !== null && html`<a class="button" href="${way}">${t("ended.newLink")}</a>`}
${back !== null && html`<a class="button quiet" href="${back}" rel="noreferrer">${t("back", { merchant: merchant?.name ?? "" })}</a>`}</div>`,
  })
}
