import { operation } from "../../../../../v2-kit/operation"
import { CHANGEABLE, EXAMPLE, REFUSED, changeSchema, plan, presentPlan, readPlanChange } from "../resource"
import { bare } from "../../../../../v2-kit/answers"

export const GET = operation({
  id: "getPlan",
  tag: "Plans",
  summary: "Get a plan",
  scope: "subscriptions:read",
  service: "subscriptions",
  answer: bare({ data: plan, description: "The plan.", example: EXAMPLE }),
  codes: ["PLAN_NOT_FOUND"],
  run: async ({ gateway, caller, params }) => presentPlan(await gateway.plans.retrieve(caller, params.plan_id), caller),
})

export const PATCH = operation({
  id: "updatePlan",
  tag: "Plans",
  summary: "Change a plan",
  description: "For new subscriptions; existing ones stay as they are. Interval and currency cannot be changed.",
  scope: "subscriptions:write",
  service: "subscriptions",
  body: { name: "PlanChange", schema: changeSchema, notes: CHANGEABLE, example: { amount: "1400.00" } },
  answer: bare({ data: plan, description: "The changed plan.", example: { ...EXAMPLE, amount: "1400.00" } }),
  codes: [...REFUSED, "PLAN_NOT_FOUND"],
  run: async ({ gateway, caller, params, body }) => {
    const plan = await gateway.plans.update(caller, params.plan_id, readPlanChange(body))
    return presentPlan(plan, caller)
  },
})

/** Archives: existing subscriptions continue, new ones are refused (contract 3.5). */
export const DELETE = operation({
  id: "archivePlan",
  tag: "Plans",
  summary: "Archive a plan",
  description: "Nobody new can subscribe to it. Existing subscriptions go on.",
  scope: "subscriptions:write",
  service: "subscriptions",
  answer: bare({ data: plan, description: "The archived plan.", example: { ...EXAMPLE, is_active: false } }),
  codes: ["PLAN_NOT_FOUND"],
  run: async ({ gateway, caller, params }) =>
    presentPlan(await gateway.plans.setActive(caller, params.plan_id, false), caller),
})
