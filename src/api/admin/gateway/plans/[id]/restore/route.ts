import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentPlan } from "../../resource"

/** Allows new subscriptions again. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  plan: presentPlan(await gateway.plans.setActive(tenant, params.id, true)),
}))
