import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { namesOf } from "../../../../admin-kit/present"
import { publicUrlOf } from "../../../../v2-kit/target"
import { presentAdminLink } from "../resource"

export const GET = tenantEndpoint(async ({ gateway, tenant, params, request }) => {
  const link = await gateway.paymentLinks.retrieve(tenant, params.id)
  const names = await namesOf(request.scope, [link.created_by])
  return { payment_link: presentAdminLink(link, tenant.now, publicUrlOf(gateway, request), names) }
})
