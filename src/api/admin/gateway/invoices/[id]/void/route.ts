import { publicUrlOf } from "../../../../../v2-kit/target"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentInvoice } from "../../resource"

/** Voids an open invoice; its number is not used again. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, request }) => ({
  invoice: presentInvoice(await gateway.invoices.void(tenant, params.id), publicUrlOf(gateway, request)),
}))
