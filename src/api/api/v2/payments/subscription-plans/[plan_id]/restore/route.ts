import { operation } from "../../../../../../v2-kit/operation"
import { EXAMPLE, plan, presentPlan } from "../../resource"
import { bare } from "../../../../../../v2-kit/answers"

export const POST = operation({
  id: "restorePlan",
  tag: "Plans",
  summary: "Restore an archived plan",
  scope: "subscriptions:write",
  service: "subscriptions",
  answer: bare({ data: plan, description: "The plan, which can be subscribed to again.", example: EXAMPLE }),
  codes: ["PLAN_NOT_FOUND"],
  run: async ({ gateway, caller, params }) =>
    presentPlan(await gateway.plans.setActive(caller, params.plan_id, true), caller),
})
