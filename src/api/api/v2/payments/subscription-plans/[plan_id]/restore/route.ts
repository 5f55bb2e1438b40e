import { endpoint } from "../../../../../../v2-kit/endpoint"
import { bare } from "../../../../../../v2-kit/envelopes"
import { presentPlan } from "../../present"

export const POST = endpoint(async ({ gateway, caller, params }) =>
  bare(presentPlan(await gateway.plans.setActive(caller, params.plan_id, true), caller))
)
