import { publicUrlOf } from "../../../../../v2-kit/target"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentInvoicePage } from "../../resource"

/** Sends an open invoice to its customer again; a repeated request before it was sent sends it once. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, request }) => {
  const invoice = await gateway.invoiceMails.sendAgain(tenant, params.id)
  return {
    invoice: presentInvoicePage(invoice, await gateway.invoiceMails.ofInvoice(invoice), publicUrlOf(gateway, request)),
  }
})
