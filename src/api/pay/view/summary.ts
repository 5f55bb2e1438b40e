import { planName } from "../../../modules/gateway/plans/rules"
import { clockTime } from "./format"
import { localDigits, money } from "../../../i18n/formats"
import type { PageItem } from "../../../modules/gateway/checkout/page"
import { chosenInstalments } from "./emi"
import { html, type Markup } from "../../../modules/gateway/kernel/html"
import { ICONS } from "./icons"
import type { FormView } from "./form-view"

const ITEMS_SHOWN = 3

/** Whole seconds until the checkout expires, on the merchant's clock. */
function secondsLeft(page: { now: Date; expires_at: Date }): number {
  return Math.max(0, Math.floor((page.expires_at.getTime() - page.now.getTime()) / 1000))
}

function item(view: FormView, { name, quantity, unit_price_minor, total_minor }: PageItem): Markup {
  const { page, t, language } = view
  const amount = (minor: number) => money(minor, page.currency, language)
  const count = localDigits(String(quantity), language)
  const each = unit_price_minor === null ? t("quantity", { number: count }) : `${count} × ${amount(unit_price_minor)}`
  return html`<li class="item"><span class="item-name"><bdi>${name === "" ? "–" : name}</bdi></span><span class="item-price">${total_minor !== null && amount(total_minor)}</span>${quantity !== 1 && html`<span class="item-quantity">${each}</span>`}</li>`
}

function items(view: FormView): Markup {
  const all = view.page.items
  const shown = all.length > ITEMS_SHOWN + 1 ? all.slice(0, ITEMS_SHOWN) : all
  const rest = all.slice(shown.length)
  const more = view.t("moreItems", { number: localDigits(String(rest.length), view.language) })
  return html`<div class="items"><h2>${view.t("orderSummary")}</h2>
<ul>${shown.map((entry) => item(view, entry))}</ul>
${rest.length > 0 && html`<details><summary>${more}</summary><ul>${rest.map((entry) => item(view, entry))}</ul></details>`}
</div>`
}

function timeLeft({ page, t, language }: FormView): Markup {
  const seconds = secondsLeft(page)
  const minutes = Math.floor(seconds / 60)
  const text =
    minutes === 0 ? t("lessThanAMinute") : t("timeLeftMinutes", { minutes: localDigits(String(minutes), language) })
  return html`<p class="time" data-seconds="${seconds}" data-announce="${t("timeAnnouncement")}" data-over="${t("timeOver")}">${ICONS.clock}<span>${t("timeLeft")} <b title="${clockTime(seconds, language)}">${text}</b></span></p>`
}

/** A subscription's checkout is described by its plan's name, which may have one in the reader's language. */
function descriptionOf({ page: { description, renewal }, language }: FormView): string | null {
  const plan = renewal?.renewals.find(({ plan_name }) => plan_name === description)
  return plan === undefined ? description : planName(plan, language)
}

/** Merchant, amount, items, and the time left. */
export function summary(view: FormView): Markup {
  const { page, t, language } = view
  const description = descriptionOf(view)
  return html`<section class="panel summary">
<h1><span class="label"><bdi>${t(page.verifies ? "verify.label" : "payTo", { merchant: page.merchant_name })}</bdi></span> <span class="summary-amount">${money(page.amount_minor, page.currency, language)}</span></h1>
${chosenInstalments(view)}
${timeLeft(view)}
${page.items.length > 0 && items(view)}
${description && html`<p class="description"><bdi>${description}</bdi></p>`}
${!page.verifies && html`<p class="order">${t("orderNumber")} <bdi>${page.order_number}</bdi></p>`}
</section>`
}
