import { model } from "@medusajs/framework/utils"
import { EMI_FEE_KINDS, EMI_METHODS } from "../emi/rules"

/**
 * A bank's EMI configuration for one merchant and environment. `uuid` is the public id. `revision` counts the changes
 * of terms, so that a page that shows older figures is detected. Rates are millionths (`rate_ppm`, 125000 is 12.5 %),
 * amounts poisha; `fee_value` is either, as `fee_kind` says. Archived rows stay, because transactions refer to them. An
 * index keeps two offered ones from starting at the same amount; the service, under a lock, keeps their ranges from
 * overlapping.
 */
export const GatewayEmiConfiguration = model
  .define("gateway_emi_configuration", {
    id: model.id({ prefix: "gec" }).primaryKey(),
    uuid: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    bank_name: model.text(),
    tenure_months: model.number(),
    rate_ppm: model.number(),
    method: model.enum([...EMI_METHODS]).default("flat"),
    fee_kind: model.enum([...EMI_FEE_KINDS]).default("fixed"),
    fee_value: model.number().default(0),
    min_amount_minor: model.number(),
    max_amount_minor: model.number(),
    is_active: model.boolean().default(true),
    merchant_absorbs: model.boolean().default(false),
    card_prefixes: model.array(),
    revision: model.number().default(1),
    archived_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["uuid"], unique: true },
    { on: ["merchant_id", "environment"] },
    {
      name: "IDX_gateway_emi_configuration_offered_unique",
      on: ["merchant_id", "environment", "bank_name", "tenure_months", "min_amount_minor"],
      unique: true,
      where: "is_active AND archived_at IS NULL",
    },
  ])
  .checks([
    {
      name: "gateway_emi_configuration_terms",
      expression: (c) =>
        `${c.tenure_months} BETWEEN 2 AND 60 AND ${c.rate_ppm} BETWEEN 0 AND 1000000 AND ${c.fee_value} >= 0 AND (${c.fee_kind} = 'fixed' OR ${c.fee_value} <= 1000000) AND ${c.revision} >= 1`,
    },
    {
      name: "gateway_emi_configuration_range",
      expression: (c) =>
        `${c.min_amount_minor} >= 300000 AND ${c.max_amount_minor} BETWEEN ${c.min_amount_minor} AND 50000000`,
    },
  ])

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
