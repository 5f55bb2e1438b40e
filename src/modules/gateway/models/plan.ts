import { model } from "@medusajs/framework/utils"
import { INTERVAL_UNITS } from "../kernel/money/calendar"

/**
 * A plan that a merchant sells subscriptions on (contract 2.9). `number` is the contract's integer id. Amounts in
 * poisha. `opened_at` is on the merchant's clock and shown as the contract's `created_at`.
 */
export const GatewayPlan = model
  .define("gateway_plan", {
    id: model.id({ prefix: "gpl" }).primaryKey(),
    number: model.autoincrement(),
    uuid: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    plan_name: model.text(),
    plan_description: model.text().nullable(),
    /** Customers may switch between the active plans of one family. */
    family: model.text().nullable(),
    amount_minor: model.number(),
    currency: model.text(),
    interval_count: model.number(),
    interval_unit: model.enum([...INTERVAL_UNITS]),
    trial_period_days: model.number().nullable(),
    trial_amount_minor: model.number().nullable(),
    /** After how many paid periods a subscription to it ends; null: it goes on. */
    billing_cycles: model.number().nullable(),
    meta_data: model.json(),
    is_active: model.boolean().default(true),
    idempotency_id: model.text().nullable(),
    opened_at: model.dateTime(),
  })
  .indexes([
    { on: ["number"], unique: true },
    { on: ["uuid"], unique: true },
    { on: ["merchant_id", "environment", "number"] },
    { name: "IDX_gateway_plan_offered", on: ["merchant_id", "environment", "number"], where: "is_active" },
    // The sort orders and filters of the admin's list.
    { name: "IDX_gateway_plan_newest", on: ["merchant_id", "environment", "created_at", "id"] },
    { name: "IDX_gateway_plan_by_state", on: ["merchant_id", "environment", "is_active", "created_at", "id"] },
    { name: "IDX_gateway_plan_by_interval", on: ["merchant_id", "environment", "interval_unit", "created_at", "id"] },
    {
      name: "IDX_gateway_plan_family",
      on: ["merchant_id", "environment", "family"],
      where: "family IS NOT NULL AND is_active",
    },
    { name: "IDX_gateway_plan_by_amount", on: ["merchant_id", "environment", "amount_minor", "id"] },
    { on: ["idempotency_id"], unique: true, where: "idempotency_id IS NOT NULL" },
  ])
  .checks([
    {
      name: "gateway_plan_terms",
      expression: (c) =>
        `${c.amount_minor} > 0 AND ${c.interval_count} BETWEEN 1 AND 365 AND ${c.trial_period_days} >= 0 AND ${c.trial_amount_minor} > 0 AND ${c.billing_cycles} BETWEEN 1 AND 1000`,
    },
  ])
