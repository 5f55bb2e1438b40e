import {
  cheapestOffer,
  costOf,
  groupByBank,
  smallestInstalment,
  type EmiOffer,
} from "../../../modules/gateway/emi/rules"
import { formatPercent } from "../../../modules/gateway/kernel/money/money"
import { asksForDetails, emiValue, PAY_IN_FULL } from "../form/instrument"
import type { CheckoutPage } from "../../../modules/gateway/checkout/page"
import { type FormView, problemText } from "./parts"
import { localDigits, taka } from "../../../i18n/formats"
import { html, type Markup, type Renderable } from "../../../modules/gateway/kernel/text/html"

/** The highlighted offers of a page. */
type Marks = { chosen: string | null; cheapest: EmiOffer | null }

/** An order that must be paid in instalments cannot be paid when no offer is left. */
export function canPay({ emi }: CheckoutPage): boolean {
  return !(emi?.required && emi.offers.length === 0)
}

/** The configuration chosen on the page: by the shopper, otherwise the preselection; null for paying in full. */
function chosenUuid({ page, entered }: FormView): string | null {
  const value = entered.get("emi")
  return value === undefined ? (page.emi?.chosen ?? null) : value.split(".")[0]
}

/** The button's label: what each month costs, and everything that is paid in the end. */
function monthly({ t, language }: FormView, offer: EmiOffer): string {
  return t("emi.payMonthly", { amount: taka(offer.figures.monthly, language), total: taka(costOf(offer), language) })
}

/** The offer in a line, for the summary. */
function inAll({ t, language }: FormView, offer: EmiOffer): string {
  const { bank_name: bank, tenure_months } = offer.configuration
  const number = localDigits(String(tenure_months), language)
  return t("emi.chosen", { number, bank, total: taka(costOf(offer), language) })
}

/**
 * The line of the summary about the chosen offer. The script keeps it; without the script it is there only when there is
 * nothing else to choose, because it would not follow the choice.
 */
export function chosenInstalments(view: FormView): Markup | null {
  const { emi } = view.page
  if (emi === null || emi.offers.length === 0) {
    return null
  }
  const [only] = emi.offers
  return html`<p class="summary-emi" data-emi${!emi.locked && html` hidden`}><bdi>${emi.locked && inAll(view, only)}</bdi></p>`
}

/** The labels of the button: both are in the page, and its style shows the one that fits the choice. */
export function payLabel(view: FormView, inFull: string): Markup {
  const { emi } = view.page
  if (emi === null || emi.offers.length === 0) {
    return html`<span>${inFull}</span>`
  }
  const chosen = emi.offers.find(({ configuration }) => configuration.uuid === chosenUuid(view))
  const label = chosen === undefined ? view.t("emi.pay") : monthly(view, chosen)
  return html`${!emi.required && html`<span class="in-full">${inFull}</span>`}<span class="in-instalments">${label}</span>`
}

function rate({ t, language }: FormView, { configuration }: EmiOffer): string {
  if (configuration.merchant_absorbs) {
    return t("emi.absorbed")
  }
  const text = localDigits(formatPercent(configuration.rate_ppm), language)
  return configuration.method === "flat" ? t("emi.flatRate", { rate: text }) : t("emi.reducingRate", { rate: text })
}

function figures(view: FormView, offer: EmiOffer, marks: Marks): Markup {
  const { t, language } = view
  const { figures: sums, configuration } = offer
  const cell = (name: string, amount: bigint, more = "") =>
    html`<span class="plan-cell${more}"><span class="plan-name">${name} </span>${taka(amount, language)}</span> `
  return html`<span class="plan-length">${t("emi.months", { count: configuration.tenure_months, number: localDigits(String(configuration.tenure_months), language) })} <span class="plan-rate">${rate(view, offer)}</span> ${offer === marks.cheapest && html`<span class="badge">${t("emi.cheapest")}</span>`}</span>
<span class="plan-figures">${cell(t("emi.perMonth"), sums.monthly, " plan-monthly")}${cell(t("emi.interest"), sums.interest)}${cell(t("emi.fee"), sums.fee)}${cell(t("emi.inAll"), costOf(offer), " plan-all")}</span>
${sums.fee > 0n && html`<span class="plan-note">${t("emi.firstInstalment", { amount: taka(sums.monthly + sums.fee, language) })}</span>`}
${sums.last !== sums.monthly && html`<span class="plan-note">${t("emi.lastInstalment", { amount: taka(sums.last, language) })}</span>`}`
}

function plan(view: FormView, offer: EmiOffer, marks: Marks, id: string): Markup {
  const checked = offer.configuration.uuid === marks.chosen
  return html`<label class="plan"><input type="radio" id="${id}" name="emi" value="${emiValue(offer)}" data-pay="${monthly(view, offer)}" data-all="${inAll(view, offer)}"${checked && html` checked`}>${figures(view, offer, marks)}</label>`
}

function bankHint(view: FormView, bank: string, offers: readonly EmiOffer[]): Markup | null {
  const prefixes = [...new Set(offers.flatMap(({ configuration }) => configuration.card_prefixes))]
  if (prefixes.length === 0) {
    return null
  }
  const { t, page } = view
  const entersCard = page.methods.some(({ kind, services }) => kind === "card" && asksForDetails(page, services))
  return html`<p class="hint">${t("emi.cardsOf", { bank })} ${entersCard && t("emi.testCards", { prefixes: prefixes.join(", ") })}</p>`
}

/**
 * The offers of one bank. The very first offer gets the id that a problem's link leads to, unless another element has
 * it.
 */
function bank(
  view: FormView,
  group: { bank_name: string; entries: EmiOffer[] },
  marks: Marks,
  firstId: string | null
): Markup {
  const { t, language } = view
  const { bank_name, entries } = group
  const least = smallestInstalment(entries)
  const isChosen = entries.some(({ configuration }) => configuration.uuid === marks.chosen)
  const isCheapest = marks.cheapest !== null && entries.includes(marks.cheapest)
  const open = isChosen || (view.page.emi?.required && marks.chosen === null && isCheapest)
  const plans = entries.map((offer, index) =>
    plan(view, offer, marks, (index === 0 && firstId) || `emi_${offer.configuration.uuid}`)
  )
  return html`<details class="bank"${open && html` open`}><summary><span class="bank-name"><bdi>${bank_name}</bdi></span> ${isCheapest && html`<span class="badge">${t("emi.cheapest")}</span>`} <span class="bank-from">${least !== null && t("emi.from", { amount: taka(least.figures.monthly, language) })}</span></summary>
${bankHint(view, bank_name, entries)}
${plans}</details>`
}

function lockedPlan(view: FormView, offer: EmiOffer): Markup {
  const { t } = view
  return html`<input type="hidden" name="emi" value="${emiValue(offer)}" data-pay="${monthly(view, offer)}" data-all="${inAll(view, offer)}">
<div class="plans"><div class="plan-alone" id="emi" tabindex="-1"><div class="plan"><span class="plan-length"><bdi>${offer.configuration.bank_name}</bdi></span>${figures(view, offer, { chosen: null, cheapest: null })}</div></div></div>
${bankHint(view, offer.configuration.bank_name, [offer])}
<p class="hint">${t("emi.feeNote")}</p>`
}

/** The EMI offers, bank by bank; null when the order has no choice. */
export function emiChoice(view: FormView): Markup | null {
  const { page, t } = view
  const { emi } = page
  if (emi === null) {
    return null
  }
  if (emi.offers.length === 0) {
    return emi.required ? html`<p class="field note" id="emi">${t("emi.none")}</p>` : null
  }
  const legend = emi.locked ? t("emi.chosenByShop") : emi.required ? t("emi.choose") : t("emi.chooseOrFull")
  const wrong = view.problems.has("emi")
  const body = emi.locked ? lockedPlan(view, emi.offers[0]) : choice(view)
  return html`<fieldset class="choices emi"${wrong && html` aria-describedby="emi-error"`}><legend>${legend}</legend>
${problemText(view, "emi")}
${emi.gone && !wrong && html`<p class="hint">${t("emi.gone")}</p>`}
${body}</fieldset>`
}

function choice(view: FormView): Renderable {
  const { page, t, language } = view
  const offers = page.emi?.offers ?? []
  const marks = { chosen: chosenUuid(view), cheapest: offers.length > 1 ? cheapestOffer(offers) : null }
  const known = offers.some(({ configuration }) => configuration.uuid === marks.chosen)
  const inFull = !page.emi?.required
  const full = html`<label class="tile"><input type="radio" id="emi" name="emi" value="${PAY_IN_FULL}"${!known && html` checked`}><span class="bank-name">${t("emi.inFull")}</span><span class="bank-from">${taka(page.amount_minor, language)}</span></label>`
  const groups = groupByBank(offers, ({ configuration }) => configuration)
  return html`<div class="plans">${inFull && full}${groups.map((group, index) => bank(view, group, marks, !inFull && index === 0 ? "emi" : null))}</div>
<p class="hint">${t("emi.feeNote")}</p>`
}
