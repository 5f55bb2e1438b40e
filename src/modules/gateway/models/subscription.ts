import { model } from "@medusajs/framework/utils"
import { INTERVAL_UNITS } from "../kernel/calendar"
import { SUBSCRIPTION_STATES } from "../subscriptions/states"

/**
 * Who is billed what, how often, and the state of the schedule (contract 2.10). Periods are counted: 0 is a trial, 1
 * the first full one. `anchor_at` is the start of period `anchor_period`, and every later date is computed from it.
 * `due_at` is when the next step is due; null while there is none, or while the outcome of the payment
 * `awaiting_transaction_id` is unknown. `lock_token` fences the charge under way; its lease is real time. Where there is
 * none, no charge is in doubt. Amounts in poisha.
 */
export const GatewaySubscription = model
  .define("gateway_subscription", {
    id: model.id({ prefix: "gsu" }).primaryKey(),
    number: model.autoincrement(),
    uuid: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    customer_id: model.text(),
    /** The customer's lower-case address; a trigger sets it. */
    customer_email_key: model.text(),
    plan_id: model.text().nullable(),
    instrument_id: model.text().nullable(),
    source: model.enum(["api", "store"]).default("api"),
    status: model.enum([...SUBSCRIPTION_STATES]),
    amount_minor: model.number(),
    currency: model.text(),
    interval_count: model.number(),
    interval_unit: model.enum([...INTERVAL_UNITS]),
    trial_period_days: model.number().nullable(),
    trial_amount_minor: model.number().nullable(),
    trial_end_date: model.dateTime().nullable(),
    trial_ending_notified: model.boolean().default(false),
    anchor_at: model.dateTime().nullable(),
    anchor_period: model.number().default(1),
    current_period: model.number().default(0),
    /** The last paid period: -1 before a paid trial, 0 before the first full period. */
    paid_period: model.number().default(0),
    current_period_start: model.dateTime().nullable(),
    /** When its first full period began, paid or not; a trigger sets it. */
    running_since: model.dateTime().nullable(),
    current_period_end: model.dateTime().nullable(),
    next_billing_date: model.dateTime().nullable(),
    billing_cycle_count: model.number().default(0),
    failed_payment_count: model.number().default(0),
    past_due_since: model.dateTime().nullable(),
    retry_at: model.dateTime().nullable(),
    paused_at: model.dateTime().nullable(),
    cancel_at_period_end: model.boolean().default(false),
    cancelled_at: model.dateTime().nullable(),
    cancellation_reason: model.text().nullable(),
    ended_at: model.dateTime().nullable(),
    due_at: model.dateTime().nullable(),
    awaiting_transaction_id: model.text().nullable(),
    lock_token: model.text().nullable(),
    locked_until: model.dateTime().nullable(),
    meta_data: model.json(),
    store_order_id: model.text().nullable(),
    store_variant_id: model.text().nullable(),
    idempotency_id: model.text().nullable(),
    opened_at: model.dateTime(),
  })
  .indexes([
    { on: ["uuid"], unique: true },
    { on: ["merchant_id", "environment", "number"], unique: true },
    { on: ["merchant_id", "environment", "status", "number"] },
    { name: "IDX_gateway_subscription_newest", on: ["merchant_id", "environment", "created_at", "id"] },
    {
      name: "IDX_gateway_subscription_by_plan",
      on: ["merchant_id", "environment", "plan_id", "number"],
      where: "plan_id IS NOT NULL",
    },
    { on: ["customer_id", "number"] },
    { on: ["merchant_id", "environment", "due_at"], where: "due_at IS NOT NULL" },
    { on: ["instrument_id"], where: "instrument_id IS NOT NULL" },
    { on: ["store_order_id"], where: "store_order_id IS NOT NULL" },
    { on: ["idempotency_id"], unique: true, where: "idempotency_id IS NOT NULL" },
  ])
  .checks([
    {
      name: "gateway_subscription_terms",
      expression: (c) =>
        `${c.amount_minor} > 0 AND ${c.interval_count} BETWEEN 1 AND 365 AND ${c.trial_period_days} >= 0 AND ${c.trial_amount_minor} > 0`,
    },
    {
      name: "gateway_subscription_periods",
      expression: (c) =>
        `${c.paid_period} >= -1 AND ${c.current_period} >= 0 AND ${c.billing_cycle_count} >= 0 AND ${c.failed_payment_count} >= 0
         AND ${c.current_period_end} >= ${c.current_period_start}`,
    },
    {
      name: "gateway_subscription_state",
      expression: (c) =>
        `(${c.status} <> 'TRIALING' OR ${c.trial_end_date} IS NOT NULL)
         AND (${c.status} NOT IN ('ACTIVE', 'PAST_DUE', 'PAUSED') OR (${c.anchor_at} IS NOT NULL AND ${c.next_billing_date} IS NOT NULL))
         AND ((${c.status} = 'PAUSED') = (${c.paused_at} IS NOT NULL))
         AND ((${c.status} = 'PAST_DUE') = (${c.past_due_since} IS NOT NULL))`,
    },
  ])
