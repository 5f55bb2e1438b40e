import { tenantEndpoint } from "../../../../../admin-kit/endpoint"

/** Lets go of the reserved money that was not captured. Voiding again changes nothing. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params }) => {
  await gateway.releases.void(tenant, params.id, tenant)
  return { payment: { id: params.id } }
})
