import { model } from "@medusajs/framework/utils"
import { BILLING_RECORD_STATES } from "../subscriptions/billing/states"

/**
 * One period of a subscription and its payment (contract 2.11). The unique index on subscription and period keeps any
 * number of workers from billing a period twice. `attempts` counts automatic charges; with the id it forms the
 * acquirer's key of each. `charge_references` holds what the acquirer's adapter has saved of the charge under way, for
 * the worker that takes it over, and is set from then on. `transaction_id` and `session_id` belong to the last payment
 * tried.
 */
export const GatewayBillingRecord = model
  .define("gateway_billing_record", {
    id: model.id({ prefix: "sbr" }).primaryKey(),
    number: model.autoincrement(),
    uuid: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    subscription_id: model.text(),
    period: model.number(),
    status: model.enum([...BILLING_RECORD_STATES]).default("PENDING"),
    amount_minor: model.number(),
    currency: model.text(),
    billing_date: model.dateTime(),
    period_start: model.dateTime(),
    period_end: model.dateTime(),
    attempts: model.number().default(0),
    charge_references: model.json().nullable(),
    transaction_id: model.text().nullable(),
    session_id: model.text().nullable(),
    error_code: model.text().nullable(),
    opened_at: model.dateTime(),
  })
  .indexes([
    { on: ["subscription_id", "period"], unique: true },
    { name: "IDX_gateway_billing_record_charging", on: ["subscription_id"], where: "status = 'PROCESSING'" },
    { on: ["transaction_id"], where: "transaction_id IS NOT NULL" },
  ])
  .checks([
    {
      name: "gateway_billing_record_sums",
      expression: (c) =>
        `${c.amount_minor} > 0 AND ${c.period} >= 0 AND ${c.attempts} >= 0 AND ${c.period_end} > ${c.period_start}`,
    },
    {
      name: "gateway_billing_record_paid",
      expression: (c) => `${c.status} NOT IN ('SUCCESS', 'REFUNDED') OR ${c.transaction_id} IS NOT NULL`,
    },
  ])
