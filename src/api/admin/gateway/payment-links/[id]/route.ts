import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { publicUrlOf } from "../../../../v2-kit/target"
import { presentAdminLink } from "../resource"

export const GET = tenantEndpoint(async ({ gateway, tenant, params, request }) => {
  const link = await gateway.paymentLinks.retrieve(tenant, params.id)
  return { payment_link: presentAdminLink(link, tenant.now, publicUrlOf(gateway, request)) }
})
