import { planName } from "../../../modules/gateway/plans/rules"
import { localDate, localDigits, taka } from "../../../i18n/formats"
import { html, type Markup } from "../../../modules/gateway/kernel/html"
import { ICONS } from "./icons"
import type { FormView } from "./form-view"

/** The notice's id: it describes the Pay button. */
export const RENEWAL_NOTICE = "renewal"

/** States, above the button, that the instrument is kept, what will be charged from when on, and how to stop it. */
export function renewalNotice({ page, t, language }: FormView): Markup | null {
  const { renewal, merchant_name } = page
  if (renewal === null) {
    return null
  }
  if (renewal.renewals.length === 0) {
    return html`<div class="renewal" id="${RENEWAL_NOTICE}"><p><bdi>${t("renewal.keptOnly", { merchant: merchant_name })}</bdi></p></div>`
  }
  const lines = renewal.renewals.map((line) => {
    const name = planName(line, language)
    const { amount_minor, delivery_minor, interval_count, interval_unit, first_at } = line
    const every = t(`renewal.every.${interval_unit}`, {
      count: interval_count,
      number: localDigits(String(interval_count), language),
    })
    const terms = t("renewal.line", {
      amount: taka(amount_minor, language),
      every,
      date: localDate(first_at, language),
    })
    const delivery = delivery_minor > 0 && html` (${t("renewal.delivery", { amount: taka(delivery_minor, language) })})`
    return html`<li>${name && html`<bdi>${name}</bdi>: `}${terms}${delivery}</li>`
  })
  return html`<div class="renewal" id="${RENEWAL_NOTICE}"><p class="renewal-title">${ICONS.renew}${t("renewal.title")}</p>
<ul>${lines}</ul>
<p>${t(renewal.kept ? "renewal.kept" : "renewal.invoiced")} <bdi>${t(renewal.in_account ? "renewal.stopInAccount" : "renewal.stopAtMerchant", { merchant: merchant_name })}</bdi></p></div>`
}
