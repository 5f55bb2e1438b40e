import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { publicUrlOf } from "../../../../v2-kit/address"
import { presentAdminLink } from "../present"

export const GET = tenantEndpoint(async ({ gateway, tenant, params, request }) => {
  const link = await gateway.paymentLinks.retrieve(tenant, params.id)
  return { payment_link: presentAdminLink(link, tenant.now, publicUrlOf(gateway, request)) }
})
