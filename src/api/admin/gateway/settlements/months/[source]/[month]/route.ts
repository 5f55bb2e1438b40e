import { tenantEndpoint } from "../../../../../../admin-kit/endpoint"
import { presentNamedMonth } from "../../resource"

/** One month; each figure names the list that shows what it is made of. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params, request }) => {
  const { source, month } = params
  return presentNamedMonth(request.scope, await gateway.settlementMonths.retrieve(tenant, source, month))
})
