import { INTERVAL_UNITS } from "../../../../modules/gateway/kernel/money/calendar"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { Window } from "../../../../modules/gateway/kernel/database/paging"
import type { PlanFilter } from "../../../../modules/gateway/plans/list"
import type { Plan, PlanChange } from "../../../../modules/gateway/plans/service"
import { type ListFormat, listSchema, one, readList, several } from "../../../admin-kit/list"
import { readPlanChange } from "../../../api/v2/payments/subscription-plans/resource"
import type { JsonObject } from "../../../v2-kit/body"

/** A plan; `id` is the uuid, `number` the id in `/api/v2`. */
export function presentPlan(plan: Plan) {
  return {
    id: plan.uuid,
    number: plan.number,
    plan_name: plan.plan_name,
    plan_description: plan.plan_description,
    family: plan.family,
    amount: formatAmount(plan.amount_minor),
    currency: plan.currency,
    interval_count: plan.interval_count,
    interval_unit: plan.interval_unit,
    trial_period_days: plan.trial_period_days,
    trial_amount: plan.trial_amount_minor === null ? null : formatAmount(plan.trial_amount_minor),
    billing_cycles: plan.billing_cycles,
    meta_data: plan.meta_data,
    is_active: plan.is_active,
    created_at: plan.opened_at,
  }
}

const query = listSchema(
  { status: one(["active", "archived"]).optional(), interval: several(INTERVAL_UNITS).optional() },
  ["created_at", "amount"]
)

export function readFilter(sent: JsonObject): PlanFilter & Window & ListFormat {
  return readList(query, sent)
}

const CLEARABLE = ["plan_description", "family", "trial_period_days", "trial_amount", "billing_cycles"] as const

/** Like PATCH of `/api/v2`; in addition, an empty form field clears the member. */
export function readChange(body: JsonObject): PlanChange {
  const emptied = CLEARABLE.filter((name) => body[name] === null || body[name] === "")
  return { ...readPlanChange(body), ...Object.fromEntries(emptied.map((name) => [name, null])) }
}
