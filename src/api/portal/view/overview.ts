import type { Language } from "../../../i18n/languages"
import { textsOf } from "../../../i18n/translate"
import { type Markup, html } from "../../../modules/gateway/kernel/text/html"
import type { OwnMethod } from "../../../modules/gateway/saved-methods/service"
import type { PortalPayment, PortalSubscription } from "../../../modules/gateway/portal/account"
import { expiryOf } from "../../pay/view/saved"
import type { PortalVisit } from "./page"
import { backToOverview, buttonForm, noticeBox, ownPage } from "./page"
import {
  type PortalInvoice,
  invoiceRow,
  methodName,
  endText,
  outlookOf,
  paymentRow,
  everyText,
  subscriptionName,
} from "./parts"
import { type Notice } from "./page"

type Overview = {
  visit: PortalVisit
  language: Language
  notice: Notice | null
  subscriptions: readonly PortalSubscription[]
  methods: readonly OwnMethod[]
  invoices: { rows: readonly PortalInvoice[]; total: number }
  payments: { rows: readonly PortalPayment[]; total: number }
}

export const SUBSCRIPTION_TONES = {
  PENDING: "",
  TRIALING: "good",
  ACTIVE: "good",
  PAST_DUE: "bad",
  PAUSED: "",
  CANCELLED: "",
  EXPIRED: "",
} as const

/** Everything of the customer on one page; long lists have pages of their own. */
export function overviewPage(overview: Overview): Markup {
  const { visit, language, notice, subscriptions, methods, invoices, payments } = overview
  const { session, path } = visit
  const t = textsOf("portal", language)
  const title = t("title", { merchant: session.merchant_name })
  const back = session.return_url
  const list = (what: "invoices" | "payments", rows: readonly Markup[], total: number) =>
    html`${rows.length > 0 && html`<ul class="rows">${rows}</ul>`}${total > rows.length && html`<p class="more"><a href="${path}/${what}">${t("seeAll")}</a></p>`}`
  return ownPage(visit, {
    title,
    at: path,
    body: html`<div class="portal">${noticeBox(notice, language)}
<div class="portal-head"><div><h1><bdi>${title}</bdi></h1>
${session.customer_email !== null && html`<p><bdi>${session.customer_email}</bdi></p>`}
${back !== null && html`<p class="back"><a href="${back}" rel="noreferrer"><bdi>${t("back", { merchant: session.merchant_name })}</bdi></a></p>`}</div>
${buttonForm(visit, { action: `${path}/sign-out`, label: t("signOut"), className: "plain" })}</div>
<div class="portal-columns"><div class="portal-column">
<section class="panel"><h2>${t("subscriptions")}</h2>
${subscriptions.length === 0 ? html`<p class="empty">${t("noSubscriptions")}</p>` : html`<ul class="rows">${subscriptions.map((row) => subscriptionRow(visit, row))}</ul>`}</section>
<section class="panel"><h2>${t("methods")}</h2>
${methods.length === 0 ? html`<p class="empty">${t("noMethods")}</p>` : html`<ul class="rows">${methods.map((row) => methodRow(visit, row))}</ul>`}</section>
</div><div class="portal-column">
<section class="panel"><h2>${t("invoices")}</h2>
${invoices.rows.length === 0 && html`<p class="empty">${t("noInvoices")}</p>`}
${list(
  "invoices",
  invoices.rows.map((row) => invoiceRow(visit, row)),
  invoices.total
)}</section>
<section class="panel"><h2>${t("payments")}</h2>
${payments.rows.length === 0 && html`<p class="empty">${t("noPayments")}</p>`}
${list(
  "payments",
  payments.rows.map((row) => paymentRow(visit, row)),
  payments.total
)}</section>
</div></div></div>`,
  })
}

function subscriptionRow({ path, visitor }: PortalVisit, subscription: PortalSubscription): Markup {
  const { language } = visitor
  const t = textsOf("portal", language)
  const { status, uuid, instrument } = subscription
  const name = subscriptionName(subscription, language)
  const isOver = status === "CANCELLED" || status === "EXPIRED"
  const end = endText(subscription, language)
  return html`<li class="row"><h3><bdi>${name}</bdi></h3><span class="side"><span class="chip ${SUBSCRIPTION_TONES[status]}">${t(`statuses.${status}`)}</span></span>
<p class="wide">${everyText(subscription, language)}</p>
<p class="wide">${outlookOf(subscription, language)}</p>
${end !== null && html`<p class="wide">${end}</p>`}
${instrument !== null && !isOver && html`<p class="wide"><bdi>${t("paidWith", { method: methodName(instrument, language) })}</bdi></p>`}
<div class="links"><a href="${path}/subscriptions/${uuid}" aria-label="${t("manageOf", { name })}">${t("manage")}</a></div></li>`
}

function methodRow({ path, visitor }: PortalVisit, saved: OwnMethod): Markup {
  const { language } = visitor
  const t = textsOf("portal", language)
  const name = methodName(saved, language)
  const expiry = expiryOf({ t: textsOf("pay", language), language }, saved)
  const remove = html`<div class="links"><a href="${path}/methods/${saved.id}" aria-label="${t("removeOf", { method: name })}">${t("remove")}</a></div>`
  return html`<li class="row"><h3><bdi>${name}</bdi></h3>
${expiry !== null && html`<p>${expiry}</p>`}
${saved.used_by_subscription ? html`<p>${t("usedBySubscription")}</p>` : remove}</li>`
}

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
