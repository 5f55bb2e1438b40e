import { formatAmount } from "../../../../../modules/gateway/kernel/money"
import type { Plan } from "../../../../../modules/gateway/plans/service"
import type { Caller } from "../../../../../modules/gateway/kernel/types"

/** A plan in a list (contract 4.5: without plan_description and meta_data). */
export function presentPlanLine(plan: Plan, caller: Pick<Caller, "merchant_number">): Record<string, unknown> {
  return {
    id: plan.number,
    uuid: plan.uuid,
    merchant_id: caller.merchant_number,
    plan_name: plan.plan_name,
    amount: formatAmount(plan.amount_minor),
    currency: plan.currency,
    interval_count: plan.interval_count,
    interval_unit: plan.interval_unit,
    trial_period_days: plan.trial_period_days,
    trial_amount: plan.trial_amount_minor === null ? null : formatAmount(plan.trial_amount_minor),
    is_active: plan.is_active,
    created_at: plan.opened_at.toISOString(),
  }
}

/** The whole plan (contract 2.9). */
export function presentPlan(plan: Plan, caller: Pick<Caller, "merchant_number">): Record<string, unknown> {
  return { ...presentPlanLine(plan, caller), plan_description: plan.plan_description ?? "", meta_data: plan.meta_data }
}
