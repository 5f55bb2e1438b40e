import { publicUrlOf } from "../../../v2-kit/target"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentAcquirer } from "./resource"

/** Every acquirer with its fields, and the merchant's account at it. There are only a few: the list has one page. */
export const GET = tenantEndpoint(async ({ gateway, tenant, request }) => {
  const rows = await gateway.acquirerAccounts.list(tenant)
  const url = publicUrlOf(gateway, request)
  return { acquirers: rows.map((row) => presentAcquirer(row, url)), count: rows.length }
})
