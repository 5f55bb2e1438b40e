import { publicUrlOf } from "../../../v2-kit/endpoint"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentList } from "../../../admin-kit/list"
import { presentInvoice } from "./present"
import { readFilter, readSubscriptionId } from "./schemas"

/**
 * Invoices, newest first; `q` is the beginning of the customer's e-mail address, or an invoice_id; `status`,
 * `subscription_id`.
 */
export const GET = tenantEndpoint(async ({ gateway, tenant, query, request }) => {
  const filter = readFilter(query)
  const publicUrl = publicUrlOf(gateway, request)
  const page = await gateway.invoiceList.list(tenant, filter, filter)
  return presentList("invoices", page, filter, (invoice) => presentInvoice(invoice, publicUrl))
})

/** The invoice of a subscription's open period: the existing one, or a new one, which is sent by e-mail. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body, request }) => {
  const invoice = await gateway.invoices.generate(tenant, readSubscriptionId(body))
  return { invoice: presentInvoice(invoice, publicUrlOf(gateway, request)) }
})
