import { emiSchedule, type EmiMethod, type EmiOffer } from "./rules"

/** What a customer has agreed to. It is stored with the transaction and never changes. Amounts in poisha. */
export type EmiPlan = {
  configuration_uuid: string
  revision: number
  bank_name: string
  tenure_months: number
  rate_ppm: number
  method: EmiMethod
  merchant_absorbs: boolean
  order_amount_minor: number
  interest_minor: number
  fee_minor: number
  total_minor: number
  monthly_minor: number
  bank_interest_minor: number
  bank_fee_minor: number
  schedule: { installment: number; due_month: string; amount_minor: number }[]
}

/** What the customer pays under a plan, in poisha. The bank takes its fee with the first instalment. */
type EmiPayments = {
  first_minor: number
  monthly_minor: number
  last_minor: number
  with_fee_minor: number
  /** What the bank will take from the merchant, who absorbs interest and fee; else zero. */
  merchant_cost_minor: number
}

export function paymentsOf(plan: EmiPlan): EmiPayments {
  const { schedule, monthly_minor, interest_minor, fee_minor, total_minor } = plan
  return {
    first_minor: schedule[0].amount_minor + fee_minor,
    monthly_minor,
    last_minor: schedule[schedule.length - 1].amount_minor,
    with_fee_minor: total_minor + fee_minor,
    merchant_cost_minor: plan.bank_interest_minor - interest_minor + plan.bank_fee_minor - fee_minor,
  }
}

/** The plan for an offer that is accepted at this moment. */
export function emiPlan(offer: EmiOffer, purchased: Date): EmiPlan {
  const { configuration, figures } = offer
  return {
    configuration_uuid: configuration.uuid,
    revision: configuration.revision,
    bank_name: configuration.bank_name,
    tenure_months: configuration.tenure_months,
    rate_ppm: configuration.rate_ppm,
    method: configuration.method,
    merchant_absorbs: configuration.merchant_absorbs,
    order_amount_minor: Number(figures.order_amount),
    interest_minor: Number(figures.interest),
    fee_minor: Number(figures.fee),
    total_minor: Number(figures.total),
    monthly_minor: Number(figures.monthly),
    bank_interest_minor: Number(figures.bank_interest),
    bank_fee_minor: Number(figures.bank_fee),
    schedule: emiSchedule(offer, purchased).map(({ amount, ...rest }) => ({ ...rest, amount_minor: Number(amount) })),
  }
}
