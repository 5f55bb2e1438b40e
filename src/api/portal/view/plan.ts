import { localDate, localDigits, money } from "../../../i18n/formats"
import type { Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import { type Markup, html } from "../../../modules/gateway/kernel/text/html"
import { planName, planNames } from "../../../modules/gateway/plans/rules"
import type { OpenedSubscription } from "../../../modules/gateway/portal/account"
import type { ChangePreview } from "../../../modules/gateway/subscriptions/changes"
import { type PortalVisit, buttonForm, ownPage } from "./page"
import { everyText, subscriptionName } from "./parts"

type Subject = { visit: PortalVisit; subscription: OpenedSubscription }
/** A plan as it is offered: by its number. */
type OfferedPlan = Parameters<typeof everyText>[0] & {
  number: number
  billing_cycles: number | null
  plan_name: string
  meta_data: Record<string, unknown>
}

/** The plans to choose from; choosing shows what a switch costs. */
export function plansPage({ visit, subscription, plans }: Subject & { plans: readonly OfferedPlan[] }): Markup {
  const { language } = visit.visitor
  const t = textsOf("portal", language)
  const own = `${visit.path}/subscriptions/${subscription.uuid}`
  const title = t("plan.title", { name: subscriptionName(subscription, language) })
  const offers = plans.map((plan) => {
    const name = nameOf(plan, visit)
    const see = t("plan.seeOf", { name })
    return html`<li class="row"><p class="name"><bdi>${name}</bdi></p><p class="wide">${termsText(plan, subscription, language)}</p>
<div class="links"><a href="${own}/plan?to=${String(plan.number)}" aria-label="${see}">${t("plan.see")}</a></div></li>`
  })
  return ownPage(visit, {
    title,
    at: `${own}/plan`,
    body: html`<div class="portal narrow"><section class="panel"><h1><bdi>${title}</bdi></h1>
<p class="invoice-status">${t("plan.choose")}</p>
<ul class="rows">${offers}</ul>
<a class="button quiet" href="${own}">${t("plan.back")}</a>
</section></div>`,
  })
}

/** What a switch costs, with a button for each of its two beginnings; one that is not possible is null. */
export function confirmPlanPage({
  visit,
  subscription,
  plan,
  now,
  later,
  isAgain,
}: Subject & { plan: OfferedPlan; now: ChangePreview | null; later: ChangePreview | null; isAgain: boolean }): Markup {
  const { language } = visit.visitor
  const { currency, time_zone } = subscription
  // The date of the next payment is known once it is resumed.
  const isPaused = subscription.status === "PAUSED"
  const t = textsOf("portal", language)
  const own = `${visit.path}/subscriptions/${subscription.uuid}`
  const amount = (minor: number) => money(minor, currency, language)
  const date = (at: Date | string) => localDate(new Date(at), language, time_zone)
  const button = (when: string, label: string, className: string, due = 0) =>
    buttonForm(visit, {
      action: `${own}/plan`,
      label,
      className,
      fields: { to: String(plan.number), when, due: String(due) },
    })
  const shown = now ?? later
  const lines = (shown?.lines ?? []).map((line) => {
    const kind = line.kind === "period" ? "rest" : line.amount_minor < 0 ? "unused" : "carried"
    const name = planName(line, language) ?? subscriptionName(subscription, language)
    const text = t(`plan.${kind}`, { name, start: date(line.start), end: date(line.end) })
    const times = line.quantity === undefined ? "" : ` · × ${localDigits(String(line.quantity), language)}`
    return html`<li class="row"><p><bdi>${text}${times}</bdi></p><span class="amount">${amount(line.amount_minor)}</span></li>`
  })
  const credit = shown?.credit_left ?? 0
  const next = shown?.next_billing_date ?? null
  const title = t("plan.confirm", { name: nameOf(plan, visit) })
  return ownPage(visit, {
    title,
    at: `${own}/plan?to=${String(plan.number)}`,
    body: html`<div class="portal narrow">${isAgain && html`<p class="notice" role="alert">${t("plan.again")}</p>`}
<section class="panel"><h1><bdi>${title}</bdi></h1>
<p><bdi>${termsText(plan, subscription, language)}</bdi></p>
${lines.length > 0 && html`<ul class="rows">${lines}<li class="row"><p class="name">${t("plan.due")}</p><span class="amount">${amount(shown?.amount_due ?? 0)}</span></li></ul>`}
${credit > 0 && html`<p class="invoice-status">${t("plan.credit", { amount: amount(credit) })}</p>`}
${credit < 0 && html`<p class="invoice-status">${t("plan.owed", { amount: amount(-credit) })}</p>`}
${next !== null && !isPaused && html`<p class="invoice-status">${t("plan.next", { amount: amount(shown?.next_amount ?? 0), date: date(next) })}</p>`}
${now !== null && button("now", now.amount_due === 0 ? t("plan.nowFree") : t("plan.now", { amount: amount(now.amount_due) }), "button", now.amount_due)}
${later !== null && button("period_end", isPaused ? t("plan.laterNext") : t("plan.later", { date: date(later.begins_at) }), "button quiet", later.terms.amount_minor)}
<a class="button quiet" href="${own}">${t("plan.back")}</a>
</section></div>`,
  })
}

/** "৳500.00 every month · 12 payments, then it ends"; an end of the subscription's own stays. */
function termsText(plan: OfferedPlan, { has_own_end }: OpenedSubscription, language: Language): string {
  const count = has_own_end ? null : plan.billing_cycles
  const number = localDigits(String(count), language)
  const end = count === null ? [] : [textsOf("pay", language)("renewal.cycles", { count, number })]
  return [everyText(plan, language), ...end].join(" · ")
}

function nameOf(plan: OfferedPlan, { visitor: { language } }: PortalVisit): string {
  return planName(planNames(plan), language) ?? plan.plan_name
}
