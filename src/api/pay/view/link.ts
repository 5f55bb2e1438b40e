import type { Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import { profileOf } from "../../../modules/gateway/merchants/profile-rules"
import type { LinkView } from "../../../modules/gateway/links/records"
import type { LinkStatus } from "../../../modules/gateway/links/rules"
import type { FormFields } from "../form/fields"
import type { ShownReceipt } from "../../../modules/gateway/receipts/service"
import { money } from "../../../i18n/formats"
import { html, type Markup } from "../../../modules/gateway/kernel/text/html"
import { ICONS } from "./parts"
import { document, testNotice } from "./layout"

/** What a payer enters when the link names no customer. */
export type PayerField = "name" | "email" | "phone"

type LinkPage = {
  link: LinkView
  linkStatus: LinkStatus
  language: Language
  path: string
  /** The token of the pay form. */
  csrfToken: string
  entered: FormFields
  wrong: readonly PayerField[]
  /** A payment that was made from this page has failed, or none can be made now. */
  notice: "failed" | "refused" | null
  /** The payment, for who made it; null for everybody else who has the link. */
  receipt: ShownReceipt | null
}

const TONES: Readonly<Record<LinkStatus, string>> = { open: "", paid: "good", expired: "bad", disabled: "" }
const CONTROLS = {
  name: { type: "text", inputmode: "text", autocomplete: "name" },
  email: { type: "email", inputmode: "email", autocomplete: "email" },
  phone: { type: "tel", inputmode: "tel", autocomplete: "tel" },
} as const

/** A payment link's public page: what is asked for, whether it is paid, and the button to pay. */
export function linkPage(page: LinkPage): Markup {
  const { link, linkStatus, language, path, notice } = page
  const [t, l] = [textsOf("pay", language), textsOf("link", language)]
  const amount = money(link.amount_minor, link.currency, language)
  return document({
    language,
    title: t("documentTitle", { amount, merchant: link.merchant_name }),
    merchant: link.merchant_name,
    profile: profileOf(link.profile),
    path,
    skipTo: null,
    test: testNotice(link.environment, language),
    foot: l("footer"),
    body: html`<div class="invoice">${notice !== null && html`<p class="notice" role="status">${l(`${notice}`)}</p>`}
<section class="panel"><div class="invoice-head"><h1><bdi>${link.description}</bdi></h1><span class="chip ${TONES[linkStatus]}">${l(`statuses.${linkStatus}`)}</span></div>
<p class="summary-amount invoice-amount">${amount}</p>
<p class="invoice-status">${l(`texts.${linkStatus}`)}</p>
${page.receipt !== null && thanks(page.receipt, page)}
${linkStatus === "open" && payForm(page, amount)}
</section></div>`,
  })
}

/** What was paid with, and the receipt: for the browser that comes back from the payment. */
function thanks({ method, mail, transaction_id }: ShownReceipt, { language, path }: LinkPage): Markup {
  const l = textsOf("link", language)
  const href = `${path}?transaction_id=${transaction_id}&receipt=pdf&lang=${language}`
  return html`<p class="invoice-status"><bdi>${l("paidWith", { method })}</bdi></p>
${mail !== null && html`<p class="invoice-status"><bdi>${l(mail.is_sent ? "mailed" : "willBeMailed", { email: mail.to })}</bdi></p>`}
<a class="button quiet" href="${href}" download>${l("receipt")}</a>`
}

function payForm({ link, language, path, csrfToken, entered, wrong }: LinkPage, amount: string): Markup {
  const l = textsOf("link", language)
  const field = (name: PayerField) => {
    const { type, inputmode, autocomplete } = CONTROLS[name]
    const isWrong = wrong.includes(name)
    const described = isWrong && html` aria-invalid="true" aria-describedby="${name}-error"`
    return html`<div class="field"><label for="${name}">${l(`fields.${name}`)}</label>
<div class="control"><input id="${name}" name="${name}" type="${type}" inputmode="${inputmode}" autocomplete="${autocomplete}" maxlength="254" value="${entered.get(name) ?? ""}" required${described}></div>
${isWrong && html`<p class="error" id="${name}-error">${l(`wrong.${name}`)}</p>`}</div>`
  }
  const fields = link.customer === null && html`${field("name")}${field("email")}${field("phone")}`
  return html`<form method="post" action="${path}" novalidate><input type="hidden" name="csrf_token" value="${csrfToken}">${fields}<button class="button" type="submit">${ICONS.lock}${l("pay", { amount })}</button></form>`
}
