import { tenantEndpoint } from "../../../admin-kit/endpoint"

/** What every page shows of the chosen merchant and environment. `offset_seconds`: how far its clock is ahead. */
export const GET = tenantEndpoint(async ({ gateway, tenant }) => ({
  has_acquirer: await gateway.hasAcquirer(tenant),
  offset_seconds: tenant.environment === "sandbox" ? (await gateway.clock.read(tenant)).offset_seconds : 0,
}))
