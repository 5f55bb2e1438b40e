import { tenantEndpoint } from "../../../../../../admin-kit/endpoint"
import { namesOf } from "../../../../../../admin-kit/present"
import { presentMonth } from "../../resource"

/** One month; each figure names the list that shows what it is made of. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params, request }) => {
  const { source, month } = params
  const found = await gateway.settlementMonths.retrieve(tenant, source, month)
  const names = await namesOf(request.scope, [found.closing?.closed_by ?? "", found.closing?.reopened_by ?? ""])
  return { month: presentMonth(found, names) }
})
