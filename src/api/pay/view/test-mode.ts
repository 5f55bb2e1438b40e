import type { Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import type { Environment } from "../../../modules/gateway/kernel/clock"
import { SANDBOX_CARDS, SANDBOX_OTP, SANDBOX_PIN } from "../../../modules/gateway/payments/acquirers/sandbox-rules"
import { cardBrand } from "../form/card-rules"
import { asksForDetails } from "../form/instrument"
import { groupedCard } from "./format"
import { html, type Markup } from "../../../modules/gateway/kernel/html"
import type { FormView } from "./form-view"
import type { TestNotice } from "./layout"

type Card = (typeof SANDBOX_CARDS)[number]

/** The scheme is named where cards differ by nothing else; beside an outcome it would only take room on a phone. */
function outcome(card: Card, t: FormView["t"]): string {
  if (card.refund !== "standard") {
    return t(`testRefunds.${card.refund}`)
  }
  const text = t(`testOutcomes.${card.outcome}`)
  return card.outcome === "SUCCESS" ? `${text} · ${cardBrand(card.number)}` : text
}

/** With the script the button fills the form in; without it the number beside it is read off. */
function testCard(card: Card, t: FormView["t"]): Markup {
  const number = groupedCard(card.number)
  return html`<li><button type="button" class="number" data-card="${card.number}" aria-label="${t("useCard", { number })}" hidden>${number}</button><span class="number">${number}</span><span>${outcome(card, t)}</span></li>`
}

/** What the bar over a page of this environment says: that no money moves. */
export function testNotice(environment: Environment, language: Language): TestNotice | null {
  const t = textsOf("pay", language)
  return environment === "sandbox" ? { label: t("testMode"), text: t("testModeText") } : null
}

/** Lists everything needed to try each outcome; null where nothing is entered on this page. */
export function testData({ page, t }: FormView): Markup | null {
  const kinds = page.methods.filter(({ services }) => asksForDetails(page, services)).map(({ kind }) => kind)
  const other = kinds.includes("internet_banking") || kinds.includes("wallet")
  const cards = html`<h2>${t("testCards")}</h2><ul class="test-cards">${SANDBOX_CARDS.map((card) => testCard(card, t))}</ul>`
  return kinds.length === 0
    ? null
    : html`<aside class="ribbon" aria-label="${t("showTestData")}"><details id="test-data"><summary>${t("showTestData")}</summary><div class="test-data">
${kinds.includes("card") && cards}
${kinds.includes("mobile_banking") && html`<p>${t("testMobile", { otp: SANDBOX_OTP, pin: SANDBOX_PIN })}</p>`}
${other && html`<p>${t("testOther")}</p>`}
</div></details></aside>`
}
