import { tenantEndpoint } from "../../../../../../admin-kit/endpoint"
import { presentMonth, readMonth } from "../../resource"

/** One month; each figure names the list that shows what it is made of. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => {
  const { source, month } = readMonth(params)
  return { month: presentMonth(await gateway.settlementMonths.retrieve(tenant, source, month)) }
})
