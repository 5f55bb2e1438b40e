import { readPlan } from "../../../api/v2/payments/subscription-plans/schemas"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentList } from "../../../admin-kit/list"
import { presentPlan } from "./present"
import { readFilter } from "./schemas"

/**
 * Plans, newest first; `q` is an id or the beginning of a name; `status` active or archived, `interval` their units.
 */
export const GET = tenantEndpoint(async ({ gateway, tenant, query }) => {
  const filter = readFilter(query)
  return presentList("plans", await gateway.planList.list(tenant, filter, filter), filter, presentPlan)
})

export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => ({
  plan: presentPlan(await gateway.plans.create(tenant, readPlan(body))),
}))
