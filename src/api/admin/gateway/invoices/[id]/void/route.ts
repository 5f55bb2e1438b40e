import { publicUrlOf } from "../../../../../contract/endpoint"
import { tenantEndpoint } from "../../../../../desk/endpoint"
import { presentInvoice } from "../../present"

/** Calls an open invoice back; its number stays used. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, request }) => ({
  invoice: presentInvoice(await gateway.invoices.void(tenant, params.id), publicUrlOf(gateway, request)),
}))
