import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { publicUrlOf } from "../../../../../v2-kit/target"
import { presentAdminLink } from "../../resource"

/** Nobody can pay the link any more; a payment that is under way goes on. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, request }) => {
  const link = await gateway.paymentLinks.disable(tenant, params.id)
  return { payment_link: presentAdminLink(link, tenant.now, publicUrlOf(gateway, request)) }
})
