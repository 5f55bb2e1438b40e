import { model } from "@medusajs/framework/utils"
import { EMI_METHODS } from "../emi/rules"

/**
 * The EMI plan that a customer accepted with a payment: what was shown, written in the transaction that began the
 * attempt, and never changed. It has its own copy of the terms, because the configuration may change. Poisha.
 */
export const GatewayEmiPlan = model
  .define("gateway_emi_plan", {
    id: model.id({ prefix: "gep" }).primaryKey(),
    transaction_id: model.text(),
    attempt_id: model.text(),
    configuration_id: model.text(),
    configuration_uuid: model.text(),
    revision: model.number(),
    bank_name: model.text(),
    tenure_months: model.number(),
    rate_ppm: model.number(),
    method: model.enum([...EMI_METHODS]),
    merchant_absorbs: model.boolean(),
    order_amount_minor: model.number(),
    interest_minor: model.number(),
    fee_minor: model.number(),
    total_minor: model.number(),
    monthly_minor: model.number(),
    bank_interest_minor: model.number(),
    bank_fee_minor: model.number(),
    schedule: model.json(),
  })
  .indexes([{ on: ["attempt_id"], unique: true }, { on: ["transaction_id"] }, { on: ["configuration_id"] }])
  .checks([
    {
      name: "gateway_emi_plan_sums",
      expression: (c) =>
        `${c.order_amount_minor} >= 300000 AND ${c.interest_minor} >= 0 AND ${c.fee_minor} >= 0 AND ${c.monthly_minor} > 0 AND ${c.total_minor} = ${c.order_amount_minor} + ${c.interest_minor}`,
    },
    {
      name: "gateway_emi_plan_bearer",
      expression: (c) =>
        `CASE WHEN ${c.merchant_absorbs} THEN ${c.interest_minor} = 0 AND ${c.fee_minor} = 0 ELSE ${c.interest_minor} = ${c.bank_interest_minor} AND ${c.fee_minor} = ${c.bank_fee_minor} END`,
    },
  ])
