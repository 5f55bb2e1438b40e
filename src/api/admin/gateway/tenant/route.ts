import { answering, tenantContext } from "../../../admin-kit/endpoint"
import { requireAnyPolicy } from "../../../admin-kit/permissions"

/**
 * What every page shows of the chosen merchant and environment, with any policy of the gateway. `offset_seconds`: how
 * far its clock is ahead. The policy is asked first: an admin without one does not learn which merchants exist.
 */
export const GET = answering(async (request) => {
  await requireAnyPolicy(request)
  const { gateway, tenant } = await tenantContext(request)
  return {
    has_acquirer: await gateway.hasAcquirer(tenant),
    offset_seconds: tenant.environment === "sandbox" ? (await gateway.clock.read(tenant)).offset_seconds : 0,
  }
})
