import type { InvoiceDocument } from "../../../modules/gateway/invoices/documents/invoice-document"
import { html, type Markup } from "../../../modules/gateway/kernel/text/html"
import { ICONS } from "./parts"
import { document } from "./layout"

const TONES = { open: "", overdue: "bad", paid: "good", void: "", closed: "" } as const

type InvoicePage = {
  invoice: InvoiceDocument
  path: string
  /** The token of the pay form. */
  csrfToken: string
  /** A payment started from this page has failed; shown as long as the invoice is open. */
  failed: boolean
}

/** An invoice's public page: its contents, its status, and the buttons to pay and download it. */
export function invoicePage({ invoice, path, csrfToken, failed }: InvoicePage): Markup {
  const { words, title, number, merchant, language, displayStatus, payable } = invoice
  const pay = html`<form method="post" action="${path}"><input type="hidden" name="csrf_token" value="${csrfToken}"><button class="button" type="submit">${ICONS.lock}${words("pay", { amount: invoice.total.value })}</button></form>`
  return document({
    language,
    title: `${title} ${number} – ${merchant}`,
    merchant,
    profile: invoice.profile,
    path,
    skipTo: null,
    test: invoice.testMode,
    body: html`<div class="invoice">${payable && failed && html`<p class="notice" role="status">${words("failed")}</p>`}
${invoice.pending !== null && html`<p class="notice calm" role="status">${invoice.pending}</p>`}
${invoice.stopped !== null && html`<p class="notice" role="status">${invoice.stopped}</p>`}
<section class="panel"><div class="invoice-head"><h1>${title} <bdi>${number}</bdi></h1><span class="chip ${TONES[displayStatus]}">${invoice.status}</span></div>
<p class="summary-amount invoice-amount">${invoice.total.value}</p>
<p class="invoice-status">${invoice.statusText}</p>
${payable && pay}
<a class="button quiet" href="${path}/pdf?lang=${language}" download>${words("download")}</a>
<h2>${words("billedTo")}</h2>
<ul class="to">${invoice.customer.map((line) => html`<li><bdi>${line}</bdi></li>`)}</ul>
<dl class="facts">${invoice.facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>
<h2>${words("description")}</h2>
<ul>${invoice.lines.map((line) => html`<li class="item"><span class="item-name"><bdi>${line.description}</bdi></span><span class="item-price">${line.amount}</span><span class="item-quantity">${[line.detail, line.period].filter((part) => part !== "").join(" · ")}</span></li>`)}</ul>
${invoice.sums.map(({ label, value }) => html`<p class="order">${label}: ${value}</p>`)}
<p class="total"><span>${invoice.total.label}</span><span>${invoice.total.value}</span></p>
<p class="order">${invoice.labels.foot}</p>
</section></div>`,
  })
}
