import { tenantEndpoint } from "../../../../../../admin-kit/endpoint"
import { presentMonth } from "../../resource"

/** One month; each figure names the list that shows what it is made of. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => {
  const { source, month } = params
  return { month: presentMonth(await gateway.settlementMonths.retrieve(tenant, source, month)) }
})
