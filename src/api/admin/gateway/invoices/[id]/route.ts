import { publicUrlOf } from "../../../../v2-kit/target"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentInvoicePage } from "../resource"

/** By its invoice_id or uuid. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params, request }) => {
  const invoice = await gateway.invoices.retrieve(tenant, params.id)
  const mails = await gateway.invoiceMails.ofInvoice(invoice)
  return { invoice: presentInvoicePage(invoice, mails, publicUrlOf(gateway, request)) }
})
