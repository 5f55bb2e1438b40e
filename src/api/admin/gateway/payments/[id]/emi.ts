import { paymentsOf, type EmiPlan } from "../../../../../modules/gateway/emi/plan"
import { formatAmount } from "../../../../../modules/gateway/kernel/money"

/**
 * The plan in which a payment is paid back to the bank. Amounts are decimal text. The bank takes its fee with the first
 * instalment: `first_payment` and the first entry of `schedule` include it, and `total_with_fee` is the sum of the
 * schedule.
 */
export function presentEmiPlanInFull(plan: EmiPlan): object {
  const { first_minor, monthly_minor, with_fee_minor } = paymentsOf(plan)
  return {
    bank: plan.bank_name,
    months: plan.tenure_months,
    first_payment: formatAmount(first_minor),
    monthly_installment: formatAmount(monthly_minor),
    interest: formatAmount(plan.interest_minor),
    fee: formatAmount(plan.fee_minor),
    total_with_fee: formatAmount(with_fee_minor),
    merchant_absorbs: plan.merchant_absorbs,
    schedule: plan.schedule.map(({ installment, due_month, amount_minor }, index) => ({
      installment,
      due_month,
      amount: formatAmount(index === 0 ? first_minor : amount_minor),
    })),
  }
}
