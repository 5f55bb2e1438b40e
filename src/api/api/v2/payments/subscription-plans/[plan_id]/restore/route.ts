import { endpoint } from "../../../../../../contract/endpoint"
import { bare } from "../../../../../../contract/envelopes"
import { presentPlan } from "../../present"

export const POST = endpoint(async ({ gateway, caller, params }) =>
  bare(presentPlan(await gateway.plans.setActive(caller, params.plan_id, true), caller))
)
