import { textsOf } from "../../../i18n/translate"
import { LIMITS } from "../../../modules/gateway/kernel/limits"
import { clockNow } from "../../../modules/gateway/kernel/money/clock"
import { localDate, money } from "../../../i18n/formats"
import type { OwnMethod } from "../../../modules/gateway/saved-methods/service"
import type { OpenedSubscription } from "../../../modules/gateway/portal/account"
import { actionsOf } from "../../../modules/gateway/portal/rules"
import { planName } from "../../../modules/gateway/plans/rules"
import { nextTerms } from "../../../modules/gateway/subscriptions/change-rules"
import { balanceOf } from "../../../modules/gateway/subscriptions/credit-rules"
import { isComplete } from "../../../modules/gateway/subscriptions/end-rules"
import { reasonText } from "../../../modules/gateway/subscriptions/cancellation-rules"
import { verificationAmount } from "../../../modules/gateway/subscriptions/verification-rules"
import { html, type Markup } from "../../../modules/gateway/kernel/text/html"
import type { PortalVisit } from "./page"
import { endText, everyText, methodName, outlookOf, subscriptionName, usableUntil } from "./parts"
import { type Notice } from "./page"
import { SUBSCRIPTION_TONES } from "./overview"
import { backToOverview, buttonForm, noticeBox, ownPage } from "./page"

type Subject = { visit: PortalVisit; subscription: OpenedSubscription }
type Action = { text: string; control: Markup }

/** One subscription: how it is, and a button for everything that its state allows. */
export function subscriptionPage({
  visit,
  subscription,
  hasPlans,
  notice,
  refusal,
}: Subject & { hasPlans: boolean; notice: Notice | null; refusal?: "notPossible" | "noPayments" }): Markup {
  const { session, visitor, path } = visit
  const { language } = visitor
  const t = textsOf("portal", language)
  const { status, instrument } = subscription
  const credit = balanceOf(subscription.credits)
  const name = subscriptionName(subscription, language)
  const end = endText(subscription, language)
  const isOver = status === "CANCELLED" || status === "EXPIRED"
  const charged = instrument === null ? t("noMethod") : t("paidWith", { method: methodName(instrument, language) })
  const refused = refusal === "noPayments" ? t("refusals.noPayments", { merchant: session.merchant_name }) : null
  return ownPage(visit, {
    title: name,
    at: `${path}/subscriptions/${subscription.uuid}`,
    body: html`<div class="portal narrow">${noticeBox(notice, language)}
${refusal !== undefined && html`<p class="notice" role="alert"><bdi>${refused ?? t("refusals.notPossible")}</bdi></p>`}
<section class="panel">${backToOverview(visit)}
<div class="invoice-head"><h1><bdi>${name}</bdi></h1><span class="chip ${SUBSCRIPTION_TONES[status]}">${t(`statuses.${status}`)}</span></div>
<p>${everyText(subscription, language)}</p>
<p class="invoice-status">${outlookOf(subscription, language)}</p>
${subscription.one_trial === "refused" && status === "PENDING" && html`<p class="invoice-status">${t("noTrial", { amount: money(subscription.amount_due, subscription.currency, language) })}</p>`}
${end !== null && html`<p class="invoice-status">${end}</p>`}
${scheduledText(visit, subscription)}
${credit > 0 && html`<p class="invoice-status">${t(isComplete(subscription) ? "creditUnused" : "creditLeft", { amount: money(credit, subscription.currency, language) })}</p>`}
${!isOver && html`<p class="invoice-status"><bdi>${charged}</bdi></p>`}
<div class="actions">${actions({ visit, subscription, hasPlans }).map(({ text, control }) => html`<div class="action"><p>${text}</p>${control}</div>`)}</div>
</section></div>`,
  })
}

function actions({ visit, subscription, hasPlans }: Subject & { hasPlans: boolean }): Action[] {
  const t = textsOf("portal", visit.visitor.language)
  const allowed = actionsOf(subscription, nowOf(visit))
  const at = `${visit.path}/subscriptions/${subscription.uuid}`
  const button = (action: string, label: string, className = "button quiet") =>
    buttonForm(visit, { action: at, label, className, fields: { action } })
  const isOver = isComplete(subscription)
  const all: (Action | false)[] = [
    allowed.method !== null &&
      !isOver && {
        text: t(`changeText.${allowed.method}`, { amount: changeAmount(visit, subscription, allowed.method) }),
        control: button("method", t(`change.${allowed.method}`), allowed.method === "pay" ? "button" : "button quiet"),
      },
    allowed.uncancel && {
      text: uncancelText(visit, subscription),
      control: button("uncancel", t("uncancel"), "button"),
    },
    nextTerms(subscription) !== null && {
      text: t("plan.keepText"),
      control: button("keep_plan", t("plan.keep")),
    },
    allowed.plan &&
      hasPlans && {
        text: t("plan.text"),
        control: html`<a class="button quiet" href="${at}/plan">${t("plan.change")}</a>`,
      },
    allowed.resume && {
      text: t(isOver ? "resumeLastText" : "resumeText"),
      control: button("resume", t("resume"), "button"),
    },
    allowed.pause && { text: t("pauseText"), control: button("pause", t("pause")) },
    allowed.cancel && {
      text: t("cancelText"),
      control: html`<a class="button danger" href="${at}/cancel">${t("cancel")}</a>`,
    },
  ]
  return all.filter((action) => action !== false)
}

/** "From 1 July: Large, ৳1,200.00 every month" */
function scheduledText({ visitor: { language } }: PortalVisit, subscription: OpenedSubscription): Markup | false {
  const { scheduled_change: terms, next_billing_date, currency, time_zone } = subscription
  if (terms === null || next_billing_date === null) {
    return false
  }
  const name = planName(terms, language) ?? subscriptionName(subscription, language)
  const price = everyText({ ...terms, currency }, language)
  const t = textsOf("portal", language)
  // The date of the next payment is known once it is resumed.
  const text =
    subscription.status === "PAUSED"
      ? t("plan.scheduledNext", { name, price })
      : t("plan.scheduled", { date: localDate(next_billing_date, language, time_zone), name, price })
  return html`<p class="notice"><bdi>${text}</bdi></p>`
}

/** What is paid lasts to the next payment. */
function uncancelText({ visitor }: PortalVisit, subscription: OpenedSubscription) {
  const { past_due_since, current_period_end, time_zone } = subscription
  const t = textsOf("portal", visitor.language)
  if (past_due_since !== null || current_period_end === null) {
    return t("uncancelOverdueText")
  }
  const isLast = isComplete({ ...subscription, next_billing_date: current_period_end })
  const date = localDate(current_period_end, visitor.language, time_zone)
  return t(isLast ? "uncancelLastText" : "uncancelText", { date })
}

function nowOf({ session }: PortalVisit): Date {
  return clockNow(new Date(), session.clock_offset_seconds)
}

function changeAmount(
  { visitor }: PortalVisit,
  { currency, amount_due }: OpenedSubscription,
  change: "verify" | "pay"
): string {
  return money(change === "verify" ? verificationAmount(currency) : amount_due, currency, visitor.language)
}

export function confirmCancelPage({ visit, subscription, reasons }: Subject & { reasons: readonly string[] }): Markup {
  const { language } = visit.visitor
  const t = textsOf("portal", language)
  const name = subscriptionName(subscription, language)
  const until = usableUntil(subscription, nowOf(visit))
  const at = `${visit.path}/subscriptions/${subscription.uuid}`
  const text =
    until === null
      ? t("confirmCancel.now")
      : t("confirmCancel.until", { date: localDate(until, language, subscription.time_zone) })
  const options = reasons.map((reason) => html`<option value="${reason}">${reasonText(reason, language)}</option>`)
  return question(visit, {
    title: t("confirmCancel.title", { name }),
    text,
    at: `${at}/cancel`,
    yes: t("confirmCancel.yes"),
    fields: html`<div class="field"><label for="reason">${t("confirmCancel.reason")}</label>
<div class="control"><select id="reason" name="reason"><option value="">${t("confirmCancel.noReason")}</option>${options}</select></div></div>
<div class="field"><label for="note">${t("confirmCancel.note")}</label>
<div class="control"><input id="note" name="note" type="text" autocomplete="off" maxlength="${String(LIMITS.cancellationReasonMaxChars)}"></div></div>`,
    no: { href: at, label: t("confirmCancel.no") },
  })
}

export function confirmRemovePage({ visit, saved }: { visit: PortalVisit; saved: OwnMethod }): Markup {
  const { language } = visit.visitor
  const t = textsOf("portal", language)
  const method = methodName(saved, language)
  const isUsed = saved.used_by_subscription
  return question(visit, {
    title: t("confirmRemove.title", { method }),
    text: isUsed ? t("refusals.inUse") : t("confirmRemove.text", { merchant: visit.session.merchant_name }),
    at: `${visit.path}/methods/${saved.id}`,
    yes: isUsed ? null : t("confirmRemove.yes"),
    no: { href: visit.path, label: isUsed ? t("overview") : t("confirmRemove.no") },
  })
}

type Question = {
  title: string
  text: string
  at: string
  /** Null: there is nothing to agree to. */
  yes: string | null
  no: { href: string; label: string }
  /** What is asked besides. */
  fields?: Markup
}

/** A question with two answers. */
function question(visit: PortalVisit, { title, text, at, yes, no, fields }: Question): Markup {
  return ownPage(visit, {
    title,
    at,
    body: html`<div class="portal narrow">
<section class="panel"><h1><bdi>${title}</bdi></h1>
<p class="invoice-status"><bdi>${text}</bdi></p>
${yes !== null && buttonForm(visit, { action: at, label: yes, className: "button danger", shown: fields })}
<a class="button quiet" href="${no.href}">${no.label}</a>
</section></div>`,
  })
}
