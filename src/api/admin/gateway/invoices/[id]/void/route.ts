import { publicUrlOf } from "../../../../../v2-kit/endpoint"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentInvoice } from "../../present"

/** Calls an open invoice back; its number stays used. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, request }) => ({
  invoice: presentInvoice(await gateway.invoices.void(tenant, params.id), publicUrlOf(gateway, request)),
}))
