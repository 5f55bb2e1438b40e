import type { Gateway } from "../../../modules/gateway/container"
import type { Reply } from "../../pay/flow/states"
import { type ListPage, invoicesPage, overviewPage, paymentsPage } from "../view/overview"
import { confirmCancelPage, confirmRemovePage, subscriptionPage } from "../view/subscription"
import { NOTICES, type Notice } from "../view/page"
import type { PortalVisit } from "../view/page"

type Accounts = Pick<Gateway, "portalAccounts" | "invoices">

const SHOWN = 5
const PAGE = 20
const LAST_PAGE = 500

/** What has just been done, from the query of a redirect; anything else is nothing. */
export function noticeOf(done: string | null): Notice | null {
  return NOTICES.find((known) => known === done) ?? null
}

export async function showOverview(gateway: Accounts, visit: PortalVisit, notice: Notice | null): Promise<Reply> {
  const { session, visitor } = visit
  const accounts = gateway.portalAccounts
  const [subscriptions, methods, invoices, payments] = await Promise.all([
    accounts.listSubscriptions(session),
    accounts.listMethods(session),
    accounts.listInvoices(session, { limit: SHOWN, offset: 0 }),
    accounts.listPayments(session, { limit: SHOWN, offset: 0 }),
  ])
  const rows = invoices.rows.map((row) => documentOf(gateway, visit, row))
  const body = overviewPage({
    visit,
    language: visitor.language,
    notice,
    subscriptions,
    methods,
    invoices: { rows, total: invoices.total },
    payments,
  })
  return { status: 200, body }
}

export async function showInvoices(gateway: Accounts, visit: PortalVisit, page: string | null): Promise<Reply> {
  const part = partOf(page)
  const { rows, total } = await gateway.portalAccounts.listInvoices(visit.session, part)
  const list = listOf(visit, part, total)
  return {
    status: 200,
    body: invoicesPage(
      list,
      rows.map((row) => documentOf(gateway, visit, row))
    ),
  }
}

export async function showPayments(gateway: Accounts, visit: PortalVisit, page: string | null): Promise<Reply> {
  const part = partOf(page)
  const { rows, total } = await gateway.portalAccounts.listPayments(visit.session, part)
  return { status: 200, body: paymentsPage(listOf(visit, part, total), rows) }
}

/** GET of an invoice's PDF, in the page's language. */
export async function downloadPdf(gateway: Accounts, { session, visitor }: PortalVisit, id: string): Promise<Reply> {
  const invoice = await gateway.portalAccounts.invoice(session, id)
  const reader = { language: visitor.language, publicUrl: visitor.publicUrl }
  const name = `${gateway.invoices.document(invoice, reader).number}.pdf`
  return { status: 200, file: { name, type: "application/pdf", bytes: await gateway.invoices.pdf(invoice, reader) } }
}

export async function showSubscription(
  gateway: Accounts,
  visit: PortalVisit,
  id: string,
  shown: { notice: Notice | null; refusal?: "notPossible" | "noPayments" }
): Promise<Reply> {
  const subscription = await gateway.portalAccounts.subscription(visit.session, id)
  const hasPlans = (await gateway.portalAccounts.plansFor(visit.session, subscription)).length > 0
  const body = subscriptionPage({ visit, subscription, hasPlans, ...shown })
  return { status: shown.refusal === undefined ? 200 : 409, body }
}

/** The question before a subscription is cancelled; one that cannot be cancelled any more shows its own page. */
export async function showCancel(gateway: Accounts, visit: PortalVisit, id: string): Promise<Reply> {
  const subscription = await gateway.portalAccounts.subscription(visit.session, id)
  const isOver = subscription.status === "CANCELLED" || subscription.status === "EXPIRED"
  if (isOver) {
    return { status: 303, location: `${visit.path}/subscriptions/${subscription.uuid}` }
  }
  const reasons = await gateway.portalAccounts.cancellationReasons(visit.session)
  return { status: 200, body: confirmCancelPage({ visit, subscription, reasons }) }
}

/** The question before a payment method is removed; one that is gone already leads to the overview. */
export async function showRemove(gateway: Accounts, visit: PortalVisit, id: string): Promise<Reply> {
  const methods = await gateway.portalAccounts.listMethods(visit.session)
  const saved = methods.find((method) => method.id === id)
  return saved === undefined
    ? { status: 303, location: visit.path }
    : { status: saved.used_by_subscription ? 409 : 200, body: confirmRemovePage({ visit, saved }) }
}

function documentOf(gateway: Accounts, { visitor }: PortalVisit, row: Parameters<Accounts["invoices"]["document"]>[0]) {
  const { language, publicUrl } = visitor
  return { uuid: row.uuid, pay_token: row.pay_token, document: gateway.invoices.document(row, { language, publicUrl }) }
}

/** Pages count from 1; anything else is the first one. */
function partOf(page: string | null): { limit: number; offset: number; page: number } {
  const number = page !== null && /^[1-9][0-9]{0,2}$/.test(page) ? Math.min(Number(page), LAST_PAGE) : 1
  return { limit: PAGE, offset: (number - 1) * PAGE, page: number }
}

function listOf(visit: PortalVisit, { page, limit, offset }: ReturnType<typeof partOf>, total: number): ListPage {
  return { visit, page, hasNewer: page > 1, hasOlder: offset + limit < total }
}
