import type { EmiOffer } from "../../modules/gateway/emi/rules"
import type { EmiPlan } from "../../modules/gateway/emi/plan"
import { formatAmount, formatPercent } from "../../modules/gateway/kernel/money/money"

/** An offer as the API and the product page show it (contract 2.8; decisions: EMI): everything is text. */
export function presentEmiOffer({ configuration, figures }: EmiOffer) {
  return {
    bank_name: configuration.bank_name,
    tenure: String(configuration.tenure_months),
    interest_rate: formatPercent(configuration.rate_ppm),
    monthly_installment: formatAmount(figures.monthly),
    total_amount: formatAmount(figures.total),
    total_interest: formatAmount(figures.interest),
    processing_fee: formatAmount(figures.fee),
    uuid: configuration.uuid,
    merchant_bleeding: configuration.merchant_absorbs,
  }
}

/** The plan that a customer has accepted, from its row. */
export function presentEmiPlan(plan: EmiPlan) {
  return {
    emi_configuration_id: plan.configuration_uuid,
    bank: plan.bank_name,
    tenure: String(plan.tenure_months),
    interest_rate: formatPercent(plan.rate_ppm),
    monthly_installment: formatAmount(plan.monthly_minor),
    total_amount: formatAmount(plan.total_minor),
    interest: formatAmount(plan.interest_minor),
    fee: formatAmount(plan.fee_minor),
    merchant_bleeding: plan.merchant_absorbs,
    schedule: plan.schedule.map(({ installment, due_month, amount_minor }) => ({
      installment,
      due_month,
      amount: formatAmount(amount_minor),
    })),
  }
}
