import { SANDBOX_CARDS, SANDBOX_OTP, SANDBOX_PIN } from "../../../modules/gateway/payments/acquirers/sandbox-rules"
import { cardBrand } from "../form/card-rules"
import { asksForDetails } from "../form/instrument"
import { groupedCard } from "./format"
import { html, type Markup } from "./html"
import type { FormView } from "./form-view"

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

/** States that no money moves, and lists everything needed to try each outcome. */
export function testMode({ page, t }: FormView): Markup {
  const kinds = page.methods.filter(({ services }) => asksForDetails(page, services)).map(({ kind }) => kind)
  const other = kinds.includes("internet_banking") || kinds.includes("wallet")
  const cards = html`<h2>${t("testCards")}</h2><ul class="test-cards">${SANDBOX_CARDS.map((card) => testCard(card, t))}</ul>`
  return html`<aside class="ribbon" aria-label="${t("testMode")}">
<p class="ribbon-text"><strong>${t("testMode")}</strong>${t("testModeText")}</p>
${
  kinds.length > 0 &&
  html`<details id="test-data"><summary>${t("showTestData")}</summary><div class="test-data">
${kinds.includes("card") && cards}
${kinds.includes("mobile_banking") && html`<p>${t("testMobile", { otp: SANDBOX_OTP, pin: SANDBOX_PIN })}</p>`}
${other && html`<p>${t("testOther")}</p>`}
</div></details>`
}
</aside>`
}
