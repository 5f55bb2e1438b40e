import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentPlan } from "../../present"

/** Nobody new may subscribe; what is subscribed goes on (contract 3.5). */
export const POST = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  plan: presentPlan(await gateway.plans.setActive(tenant, params.id, false)),
}))
