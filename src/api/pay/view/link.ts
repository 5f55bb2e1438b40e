import type { Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import { profileOf, shopName } from "../../../modules/gateway/merchants/profile-rules"
import type { LinkView } from "../../../modules/gateway/links/records"
import { type LinkStatus, rangeOf } from "../../../modules/gateway/links/rules"
import { formatAmount } from "../../../modules/gateway/kernel/money/money"
import type { FormFields } from "../form/fields"
import type { ShownReceipt } from "../../../modules/gateway/receipts/service"
import { money } from "../../../i18n/formats"
import { html, type Markup } from "../../../modules/gateway/kernel/text/html"
import { ICONS } from "./parts"
import { document, testNotice } from "./layout"

/** What a payer enters when the link names no customer. */
export type PayerField = "name" | "email" | "phone"
export type LinkField = PayerField | "amount"
/** The choice of an amount that is not among the suggested ones. */
export const OTHER_AMOUNT = "other"

/** The payment of whoever looks at the page: it has taken money, or may have. */
export type OwnPayment = {
  transaction_id: string
  isPaid: boolean
  /** It came when its order had no such balance any more. */
  isReturned: boolean
  amount_minor: number
  receipt: ShownReceipt | null
}

/**
 * Why nothing can be paid of an order at this moment: a payment of it is being confirmed, nothing is outstanding, or it is
 * cancelled.
 */
export type OrderStanding = "settling" | "settled" | "closed"

type LinkPage = {
  link: LinkView
  linkStatus: LinkStatus
  /** Null for every link that is of no order. */
  standing: OrderStanding | null
  language: Language
  path: string
  /** The token of the pay form. */
  csrfToken: string
  entered: FormFields
  wrong: readonly LinkField[]
  /** A payment that was made from this page has failed, or none can be made now. */
  notice: "failed" | "refused" | null
  /** Null for everybody who comes from no payment. */
  own: OwnPayment | null
}

const TONES: Readonly<Record<LinkStatus | "pending" | "returned", string>> = {
  open: "",
  paid: "good",
  pending: "",
  returned: "",
  expired: "bad",
  disabled: "",
}
const STANDINGS = {
  settling: { status: "pending", text: "settling" },
  settled: { status: "paid", text: "settled" },
  closed: { status: "disabled", text: "disabled" },
} as const
const CONTROLS = {
  name: { type: "text", inputmode: "text", autocomplete: "name" },
  email: { type: "email", inputmode: "email", autocomplete: "email" },
  phone: { type: "tel", inputmode: "tel", autocomplete: "tel" },
} as const

/** A payment link's public page: what is asked for, whether it is paid, and the button to pay. */
export function linkPage(page: LinkPage): Markup {
  const { link, language, path, notice, own, standing } = page
  const linkStatus = standing === null || page.linkStatus !== "open" ? page.linkStatus : STANDINGS[standing].status
  const [t, l] = [textsOf("pay", language), textsOf("link", language)]
  const minor = own?.amount_minor ?? link.amount_minor
  const amount = minor === null ? null : money(minor, link.currency, language)
  const merchant = shopName(link.merchant_name, link.profile, language)
  // The link says nothing yet about a payment that is not confirmed, and never about one of many: its payer sees that.
  const mine = own !== null && (link.reusable || !own.isPaid) ? own : null
  const status = mine === null ? linkStatus : statusOfOwn(mine)
  const isFull = link.reusable && mine === null && status === "paid"
  // Nobody owes what many may pay, however many have paid it; only an order's balance is due.
  const chip = status === "open" && link.reusable && link.store_order_id === null ? "many" : status
  // Nobody is asked to pay again before they know whether they have paid.
  const mayFollow = mine !== null && link.reusable && linkStatus === "open" && status !== "pending"
  const said = mayFollow && status === "paid" ? "own" : isFull ? "full" : status
  const text = mine === null && standing !== null ? STANDINGS[standing].text : said
  return document({
    language,
    title: amount === null ? t("payTo", { merchant }) : t("documentTitle", { amount, merchant }),
    merchant,
    profile: profileOf(link.profile),
    path,
    query: own === null ? {} : { transaction_id: own.transaction_id },
    skipTo: null,
    test: testNotice(link.environment, language),
    foot: l("footer"),
    body: html`<div class="invoice">${notice !== null && html`<p class="notice" role="status">${l(`${notice}`)}</p>`}
<section class="panel"><div class="invoice-head"><h1><bdi>${link.description}</bdi></h1><span class="chip ${TONES[status]}">${l(`statuses.${chip}`)}</span></div>
${amount !== null && html`<p class="summary-amount invoice-amount">${amount}</p>`}
<p class="invoice-status">${l(`texts.${text}`)}</p>
${own !== null && own.receipt !== null && thanks(own.receipt, page)}
${linkStatus === "open" && mine === null && payForm(page, amount)}
${mayFollow && html`<a class="button quiet" href="${path}?lang=${language}">${l(link.store_order_id === null ? "again" : "rest")}</a>`}
</section></div>`,
  })
}

function statusOfOwn({ isPaid, isReturned }: OwnPayment): "paid" | "pending" | "returned" {
  return isReturned ? "returned" : isPaid ? "paid" : "pending"
}

/** What was paid with, and the receipt: for the browser that comes back from the payment. */
function thanks({ method, mail, transaction_id }: ShownReceipt, { language, path }: LinkPage): Markup {
  const l = textsOf("link", language)
  const href = `${path}?transaction_id=${transaction_id}&receipt=pdf&lang=${language}`
  return html`<p class="invoice-status"><bdi>${l("paidWith", { method })}</bdi></p>
${mail !== null && html`<p class="invoice-status"><bdi>${l(mail.is_sent ? "mailed" : "willBeMailed", { email: mail.to })}</bdi></p>`}
<a class="button quiet" href="${href}" download>${l("receipt")}</a>`
}

function payForm(page: LinkPage, amount: string | null): Markup {
  const { link, language, path, csrfToken, entered, wrong } = page
  const l = textsOf("link", language)
  const field = (name: PayerField) => {
    const { type, inputmode, autocomplete } = CONTROLS[name]
    const isWrong = wrong.includes(name)
    const described = isWrong && html` aria-invalid="true" aria-describedby="${name}-error"`
    return html`<div class="field"><label for="${name}">${l(`fields.${name}`)}</label>
<div class="control"><input id="${name}" name="${name}" type="${type}" inputmode="${inputmode}" autocomplete="${autocomplete}" maxlength="254" value="${entered.get(name) ?? ""}"${name !== "email" && html` required`}${described}></div>
${isWrong && html`<p class="error" id="${name}-error">${l(`wrong.${name}`)}</p>`}</div>`
  }
  const fields = link.customer === null && html`${field("name")}${field("email")}${field("phone")}`
  return html`<form method="post" action="${path}" novalidate><input type="hidden" name="csrf_token" value="${csrfToken}">${amount === null && amountFields(page)}${fields}<button class="button" type="submit">${ICONS.lock}${amount === null ? l("payAny") : l("pay", { amount })}</button></form>`
}

/** What whoever pays wants to pay: one of the suggested amounts, or another one. Radio buttons need no script. */
function amountFields({ link, language, entered, wrong }: LinkPage): Markup {
  const l = textsOf("link", language)
  const { min, max } = rangeOf(link)
  const range = { min: money(min, link.currency, language), max: money(max, link.currency, language) }
  const suggested = (link.suggested_amounts ?? []).map((minor) => [formatAmount(minor), minor] as const)
  const choice = entered.get("choice") ?? (entered.has("amount") ? OTHER_AMOUNT : null)
  const isWrong = wrong.includes("amount")
  const described = html` aria-describedby="amount-hint${isWrong && " amount-error"}"${isWrong && html` aria-invalid="true"`}`
  const field = html`<div class="field"><label for="amount">${l(suggested.length === 0 ? "amount" : "otherAmount")}</label>
<p class="hint" id="amount-hint">${l("range", range)}</p>
<div class="control"><input id="amount" name="amount" type="text" inputmode="decimal" autocomplete="off" maxlength="40" value="${entered.get("amount") ?? ""}"${described}></div>
${isWrong && html`<p class="error" id="amount-error">${l("wrong.amount", range)}</p>`}</div>`
  if (suggested.length === 0) {
    return field
  }
  const radio = (value: string, name: string) =>
    html`<label class="tile"><input type="radio" name="choice" value="${value}"${choice === value && html` checked`}><span>${name}</span></label>`
  return html`<fieldset class="amounts"><legend>${l("amount")}</legend><div class="tiles">${suggested.map(([value, minor]) => radio(value, money(minor, link.currency, language)))}${radio(OTHER_AMOUNT, l("otherAmount"))}</div>${field}</fieldset>`
}
