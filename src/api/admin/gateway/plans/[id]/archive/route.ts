import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentPlan } from "../../resource"

/** No new subscriptions; existing ones continue (contract 3.5). */
export const POST = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  plan: presentPlan(await gateway.plans.setActive(tenant, params.id, false)),
}))
