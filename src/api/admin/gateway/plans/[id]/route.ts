import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentPlan, readChange } from "../resource"

/** By the uuid or the integer id. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  plan: presentPlan(await gateway.plans.retrieve(tenant, params.id)),
}))

/** Changes only the given members; existing subscriptions keep their terms. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => ({
  plan: presentPlan(await gateway.plans.update(tenant, params.id, readChange(body))),
}))
