import { textsOf } from "../../../i18n/translate"
import type { InvoiceDocument } from "../../../modules/gateway/invoices/documents/invoice-document"
import { localDate, money } from "../../../i18n/formats"
import type { PortalPayment } from "../../../modules/gateway/portal/account"
import { html, type Markup } from "../../../modules/gateway/kernel/html"
import type { PortalVisit } from "../flow/visit"
import { chosenLanguage } from "./format"

/** An invoice with what its links need. */
export type PortalInvoice = { uuid: string; pay_token: string; document: InvoiceDocument }

const INVOICE_TONES = { open: "", overdue: "bad", paid: "good", void: "", closed: "" } as const
const PAYMENT_TONES = { PROCESSING: "", HELD: "", SUCCESS: "good", REFUNDED: "" } as const

export function invoiceRow({ path, visitor }: PortalVisit, { uuid, pay_token, document }: PortalInvoice): Markup {
  const { language } = visitor
  const t = textsOf("portal", language)
  const { number, total, status, displayStatus, payable, lines } = document
  const pay = html`<a href="/pay/invoice/${pay_token}${chosenLanguage(visitor)}">${t("payNow", { amount: total.value })}</a>`
  return html`<li class="row"><p class="name"><bdi>${number}</bdi></p><span class="amount">${total.value}</span>
<p><bdi>${lines.map((line) => `${line.description} · ${line.period}`).join(", ")}</bdi></p>
<span class="side"><span class="chip ${INVOICE_TONES[displayStatus]}">${status}</span></span>
<div class="links">${payable && pay}<a href="${path}/invoices/${uuid}/pdf?lang=${language}" aria-label="${t("pdfOf", { number })}" download>${t("pdf")}</a></div></li>`
}

export function paymentRow({ visitor }: PortalVisit, payment: PortalPayment): Markup {
  const { language } = visitor
  const t = textsOf("portal", language)
  const amount = (minor: number) => money(minor, payment.currency, language)
  const { state, source, description, refunded_minor, amount_minor } = payment
  const partly = state === "SUCCESS" && refunded_minor > 0
  return html`<li class="row"><p class="name"><bdi>${source === "verification" ? t("verification") : (description ?? t("payment"))}</bdi></p><span class="amount">${amount(amount_minor)}</span>
<p>${localDate(payment.paid_at ?? payment.opened_at, language)}${partly && html` · ${t("refundedPart", { amount: amount(refunded_minor) })}`}</p>
<span class="side"><span class="chip ${PAYMENT_TONES[state]}">${t(`paymentStates.${state}`)}</span></span></li>`
}
