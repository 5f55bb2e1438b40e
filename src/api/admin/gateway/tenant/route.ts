import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { requireAnyPolicy } from "../../../admin-kit/permissions"

/**
 * What every page shows of the chosen merchant and environment, with any policy of the gateway. `offset_seconds`: how
 * far its clock is ahead.
 */
export const GET = tenantEndpoint(async ({ gateway, request, tenant }) => {
  await requireAnyPolicy(request)
  return {
    has_acquirer: await gateway.hasAcquirer(tenant),
    offset_seconds: tenant.environment === "sandbox" ? (await gateway.clock.read(tenant)).offset_seconds : 0,
  }
})
