import { textsOf } from "../../../i18n/translate"
import type { PortalPayment } from "../../../modules/gateway/portal/account"
import { html, type Markup } from "../../../modules/gateway/kernel/html"
import type { PortalVisit } from "../flow/visit"
import { backToOverview, ownPage } from "./page"
import { invoiceRow, paymentRow, type PortalInvoice } from "./rows"

/** A page of a long list. */
export type ListPage = { visit: PortalVisit; page: number; hasNewer: boolean; hasOlder: boolean }

export function invoicesPage(list: ListPage, rows: readonly PortalInvoice[]): Markup {
  return listPage(
    list,
    "invoices",
    rows.map((row) => invoiceRow(list.visit, row))
  )
}

export function paymentsPage(list: ListPage, rows: readonly PortalPayment[]): Markup {
  return listPage(
    list,
    "payments",
    rows.map((row) => paymentRow(list.visit, row))
  )
}

function listPage(
  { visit, page, hasNewer, hasOlder }: ListPage,
  what: "invoices" | "payments",
  rows: readonly Markup[]
): Markup {
  const t = textsOf("portal", visit.visitor.language)
  const at = `${visit.path}/${what}`
  const none = what === "invoices" ? t("noInvoices") : t("noPayments")
  const to = (target: number, label: string) => html`<a href="${at}?page=${target}">${label}</a>`
  const pages = html`<p class="more">${hasNewer ? to(page - 1, t("newer")) : html`<span></span>`}${hasOlder && to(page + 1, t("older"))}</p>`
  return ownPage(visit, {
    title: t(what),
    at,
    body: html`<div class="portal narrow">
<section class="panel">${backToOverview(visit)}
<h1>${t(what)}</h1>
${rows.length === 0 ? html`<p class="empty">${none}</p>` : html`<ul class="rows">${rows}</ul>`}
${(hasNewer || hasOlder) && pages}
</section></div>`,
  })
}
