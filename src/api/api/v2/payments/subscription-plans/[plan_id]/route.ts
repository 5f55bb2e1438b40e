import { endpoint } from "../../../../../v2-kit/endpoint"
import { bare } from "../../../../../v2-kit/envelopes"
import { presentPlan } from "../present"
import { readPlanChange } from "../schemas"

export const GET = endpoint(async ({ gateway, caller, params }) =>
  bare(presentPlan(await gateway.plans.retrieve(caller, params.plan_id), caller))
)

export const PATCH = endpoint(async ({ gateway, caller, params, body }) => {
  const plan = await gateway.plans.update(caller, params.plan_id, readPlanChange(body))
  return bare(presentPlan(plan, caller))
})

/** Archives: existing subscriptions continue, new ones are refused (contract 3.5). */
export const DELETE = endpoint(async ({ gateway, caller, params }) =>
  bare(presentPlan(await gateway.plans.setActive(caller, params.plan_id, false), caller))
)
