import type { Gateway } from "../../../modules/gateway/container"
import { csrfToken } from "../http/csrf"
import type { Visitor } from "../http/request"
import { invoicePage } from "../view/invoice"
import { isCode, unknownReply, type Reply } from "./states"

type Invoices = Pick<Gateway, "invoices">
type InvoiceVisit = { token: string; visitor: Visitor }

function invoicePath(token: string): string {
  return `/pay/invoice/${token}`
}

/** GET of an invoice's public page. `status` is the outcome from a payment's return address. */
export async function showInvoice(
  gateway: Invoices,
  { token, visitor }: InvoiceVisit,
  status: string | null
): Promise<Reply> {
  const invoice = await known(() => gateway.invoices.byToken(token))
  if (invoice === null) {
    return unknownReply(visitor)
  }
  const body = invoicePage({
    invoice: gateway.invoices.document(invoice, { language: visitor.language, publicUrl: visitor.publicUrl }),
    path: invoicePath(token),
    csrfToken: csrfToken(visitor.secret, token),
    failed: status === "FAILED" || status === "EXPIRED",
  })
  return { status: 200, body }
}

/** GET of the PDF, in the page's language. */
export async function downloadInvoice(gateway: Invoices, { token, visitor }: InvoiceVisit): Promise<Reply> {
  const invoice = await known(() => gateway.invoices.byToken(token))
  if (invoice === null) {
    return unknownReply(visitor)
  }
  const reader = { language: visitor.language, publicUrl: visitor.publicUrl }
  const name = `${gateway.invoices.document(invoice, reader).number}.pdf`
  return { status: 200, file: { name, type: "application/pdf", bytes: await gateway.invoices.pdf(invoice, reader) } }
}

/**
 * POST of the Pay button: leads to a checkout, or shows on the page why not. An outdated invoice leads to the one that
 * replaces it, so that nobody pays another amount than the one on the page.
 */
export async function payInvoice(gateway: Invoices, { token, visitor }: InvoiceVisit): Promise<Reply> {
  try {
    const next = await gateway.invoices.pay(token, visitor.publicUrl)
    return { status: 303, location: "session_id" in next ? `/pay/${next.session_id}` : invoicePath(next.pay_token) }
  } catch (error) {
    if (isCode(error, "INVOICE_NOT_FOUND")) {
      return unknownReply(visitor)
    }
    if (
      isCode(error, "INVALID_STATE_TRANSITION") ||
      isCode(error, "SERVICE_NOT_ENABLED") ||
      isCode(error, "MERCHANT_SUSPENDED")
    ) {
      return { status: 303, location: invoicePath(token) }
    }
    throw error
  }
}

async function known<Row>(load: () => Promise<Row>): Promise<Row | null> {
  try {
    return await load()
  } catch (error) {
    if (isCode(error, "INVOICE_NOT_FOUND")) {
      return null
    }
    throw error
  }
}
