import { formatAmount } from "../../../../modules/gateway/kernel/money"
import type { Plan } from "../../../../modules/gateway/plans/service"

/** A plan; `id` is the uuid, `number` the id in `/api/v2`. */
export function presentPlan(plan: Plan): object {
  return {
    id: plan.uuid,
    number: plan.number,
    plan_name: plan.plan_name,
    plan_description: plan.plan_description,
    amount: formatAmount(plan.amount_minor),
    currency: plan.currency,
    interval_count: plan.interval_count,
    interval_unit: plan.interval_unit,
    trial_period_days: plan.trial_period_days,
    trial_amount: plan.trial_amount_minor === null ? null : formatAmount(plan.trial_amount_minor),
    meta_data: plan.meta_data,
    is_active: plan.is_active,
    created_at: plan.opened_at,
  }
}
