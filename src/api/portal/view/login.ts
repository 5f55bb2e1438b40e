import type { Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import { type Markup, html } from "../../../modules/gateway/kernel/text/html"
import type { PortalMerchant } from "../../../modules/gateway/portal/logins"
import { portalDocument } from "./page"

type LoginPage = {
  merchant: PortalMerchant
  path: string
  language: Language
  csrf: string
  /** A link has been requested. The page must not show whether one was sent. */
  isSent: boolean
  entered: string
  isWrong: boolean
}

/** The form that asks for an e-mail address, and the page that confirms it. */
export function loginPage({ merchant, path, language, csrf, isSent, entered, isWrong }: LoginPage): Markup {
  const t = textsOf("portal", language)
  const { name } = merchant
  const title = t(isSent ? "login.sentTitle" : "login.title")
  const described = isWrong && html` aria-invalid="true" aria-describedby="email-error"`
  const form = html`<form method="post" action="${path}" novalidate><input type="hidden" name="csrf_token" value="${csrf}">
<div class="field"><label for="email">${t("login.email")}</label>
<div class="control"><input id="email" name="email" type="email" inputmode="email" autocomplete="email" maxlength="254" value="${entered}" required${described}></div>
${isWrong && html`<p class="error" id="email-error">${t("login.wrong")}</p>`}</div>
<button class="button" type="submit">${t("login.send")}</button></form>`
  return portalDocument({
    language,
    merchant,
    title,
    path,
    body: html`<div class="portal narrow"><section class="panel"><h1>${title}</h1>
<p class="invoice-status" role="${isSent ? "status" : "note"}"><bdi>${t(isSent ? "login.sent" : "login.text", { merchant: name })}</bdi></p>
${isSent ? html`<p class="back"><a href="${path}">${t("login.again")}</a></p>` : form}
</section></div>`,
  })
}
