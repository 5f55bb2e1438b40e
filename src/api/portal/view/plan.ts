import { localDate, money } from "../../../i18n/formats"
import { textsOf } from "../../../i18n/translate"
import { type Markup, html } from "../../../modules/gateway/kernel/text/html"
import { planName } from "../../../modules/gateway/plans/rules"
import type { OpenedSubscription } from "../../../modules/gateway/portal/account"
import type { ChangePreview } from "../../../modules/gateway/subscriptions/changes"
import { type PortalVisit, buttonForm, ownPage } from "./page"
import { everyText, subscriptionName } from "./parts"

type Subject = { visit: PortalVisit; subscription: OpenedSubscription }
/** A plan as it is offered: by its number. */
type OfferedPlan = Parameters<typeof everyText>[0] & {
  number: number
  plan_name: string
  meta_data: Record<string, unknown>
}

/** The plans to choose from; choosing shows what a switch costs. */
export function plansPage({ visit, subscription, plans }: Subject & { plans: readonly OfferedPlan[] }): Markup {
  const { language } = visit.visitor
  const t = textsOf("portal", language)
  const own = `${visit.path}/subscriptions/${subscription.uuid}`
  const offers = plans.map((plan, index) => {
    const text = t("plan.offer", { name: nameOf(plan, visit), price: everyText(plan, language) })
    return html`<label class="choice"><input type="radio" name="to" value="${String(plan.number)}"${index === 0 && html` checked`}> <bdi>${text}</bdi></label>`
  })
  return ownPage(visit, {
    title: t("plan.title", { name: subscriptionName(subscription, language) }),
    at: `${own}/plan`,
    body: html`<div class="portal narrow"><section class="panel">
<h1><bdi>${t("plan.title", { name: subscriptionName(subscription, language) })}</bdi></h1>
<p class="invoice-status">${t("plan.choose")}</p>
<form method="get" action="${own}/plan"><fieldset class="choices"><legend class="sr">${t("plan.change")}</legend>${offers}</fieldset>
<button class="button" type="submit">${t("plan.see")}</button></form>
<a class="button quiet" href="${own}">${t("plan.back")}</a>
</section></div>`,
  })
}

/** What a switch costs, with a button for each of its two beginnings. `later` is null where it can only begin now. */
export function confirmPlanPage({
  visit,
  subscription,
  plan,
  now,
  later,
}: Subject & { plan: OfferedPlan; now: ChangePreview; later: ChangePreview | null }): Markup {
  const { language } = visit.visitor
  const { currency, time_zone } = subscription
  const t = textsOf("portal", language)
  const own = `${visit.path}/subscriptions/${subscription.uuid}`
  const amount = (minor: number) => money(minor, currency, language)
  const date = (at: Date | string) => localDate(new Date(at), language, time_zone)
  const button = (when: string, label: string, className: string) =>
    buttonForm(visit, { action: `${own}/plan`, label, className, fields: { to: String(plan.number), when } })
  const lines = now.lines.map((line) => {
    const kind = line.kind === "period" ? "rest" : line.amount_minor < 0 ? "unused" : "carried"
    const name = planName(line, language) ?? subscriptionName(subscription, language)
    const text = t(`plan.${kind}`, { name, start: date(line.start), end: date(line.end) })
    return html`<tr><td><bdi>${text}</bdi></td><td class="amount">${amount(line.amount_minor)}</td></tr>`
  })
  const title = t("plan.confirm", { name: nameOf(plan, visit) })
  return ownPage(visit, {
    title,
    at: `${own}/plan?to=${String(plan.number)}`,
    body: html`<div class="portal narrow"><section class="panel"><h1><bdi>${title}</bdi></h1>
<p><bdi>${everyText(plan, language)}</bdi></p>
${lines.length > 0 && html`<table class="lines"><tbody>${lines}</tbody><tfoot><tr><th scope="row">${t("plan.due")}</th><td class="amount">${amount(now.amount_due)}</td></tr></tfoot></table>`}
${now.credit_left > 0 && html`<p class="invoice-status">${t("plan.credit", { amount: amount(now.credit_left) })}</p>`}
${now.credit_left < 0 && html`<p class="invoice-status">${t("plan.owed", { amount: amount(-now.credit_left) })}</p>`}
${now.next_billing_date !== null && html`<p class="invoice-status">${t("plan.next", { amount: amount(now.next_amount), date: date(now.next_billing_date) })}</p>`}
${button("now", now.amount_due === 0 ? t("plan.nowFree") : t("plan.now", { amount: amount(now.amount_due) }), "button")}
${later !== null && button("period_end", t("plan.later", { date: date(later.begins_at) }), "button quiet")}
<a class="button quiet" href="${own}">${t("plan.back")}</a>
</section></div>`,
  })
}

function nameOf(plan: OfferedPlan, { visitor: { language } }: PortalVisit): string {
  const bangla = plan.meta_data.plan_name_bn
  return (
    planName({ plan_name: plan.plan_name, plan_name_bn: typeof bangla === "string" ? bangla : null }, language) ?? ""
  )
}
