import { money } from "../../../i18n/formats"
import { html, type Markup } from "../../../modules/gateway/kernel/html"
import { ICONS } from "./icons"
import type { FormView } from "./form-view"

/** The notice's id: it describes the button. */
export const VERIFICATION_NOTICE = "verification"

/** States, above the button, that the payment costs nothing, and what the new method is kept for. */
export function verificationNotice({ page, t, language }: FormView): Markup | false {
  const amount = money(page.amount_minor, page.currency, language)
  return (
    page.verifies &&
    html`<div class="renewal" id="${VERIFICATION_NOTICE}"><p class="renewal-title">${ICONS.renew}${t("verify.title")}</p>
<p>${t("verify.notice", { amount })}</p>
<p><bdi>${t("verify.then", { merchant: page.merchant_name })}</bdi></p></div>`
  )
}
