import { model } from "@medusajs/framework/utils"
import { INTERVAL_UNITS } from "../kernel/money/calendar"
import { BILLING_RECORD_STATES } from "../subscriptions/billing/states"
import { SUBSCRIPTION_STATES } from "../subscriptions/states"
import { SKIP_REASONS } from "../subscriptions/store/stock"
import { ONE_TRIAL_OUTCOMES } from "../subscriptions/trial-rules"

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
    /** What a period costs, whole: `quantity` times the price of one; of goods of the store, with their delivery. */
    amount_minor: model.number(),
    quantity: model.number().default(1),
    /** The price of the open period where it is not `amount_minor`: the rest of a period after a change of plan. */
    open_price_minor: model.number().nullable(),
    /** What earlier periods have left over, or still cost: it is taken off the next ones (`Credit`). */
    credits: model.json(),
    /** From here to `has_own_end`: when it ends by itself (`End`). */
    billing_cycles: model.number().nullable(),
    cycles_before: model.number().default(0),
    ends_at: model.dateTime().nullable(),
    has_own_end: model.boolean().default(false),
    /** The terms from the next period on, until it begins (`NewTerms`). */
    scheduled_change: model.json().nullable(),
    currency: model.text(),
    interval_count: model.number(),
    interval_unit: model.enum([...INTERVAL_UNITS]),
    trial_period_days: model.number().nullable(),
    trial_amount_minor: model.number().nullable(),
    trial_end_date: model.dateTime().nullable(),
    trial_ending_notified: model.boolean().default(false),
    /** The plan whose trial this is or was, whatever plan it is switched to; null: it began without one. */
    trial_plan_id: model.text().nullable(),
    /** What the rule of one trial per customer decided (docs/decisions/11); null: it was not asked. */
    one_trial: model.enum([...ONE_TRIAL_OUTCOMES]).nullable(),
    /** Of a refused trial: the subscription that had the trial before; it may have been deleted since. */
    trial_before_id: model.text().nullable(),
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
    cancellation_note: model.text().nullable(),
    ended_at: model.dateTime().nullable(),
    due_at: model.dateTime().nullable(),
    awaiting_transaction_id: model.text().nullable(),
    lock_token: model.text().nullable(),
    locked_until: model.dateTime().nullable(),
    meta_data: model.json(),
    store_order_id: model.text().nullable(),
    /** What its renewals send; another plan sends another. */
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
    { on: ["store_variant_id"], where: "store_variant_id IS NOT NULL" },
    { on: ["idempotency_id"], unique: true, where: "idempotency_id IS NOT NULL" },
  ])
  .checks([
    {
      name: "gateway_subscription_terms",
      expression: (c) =>
        `${c.amount_minor} > 0 AND ${c.interval_count} BETWEEN 1 AND 365 AND ${c.trial_period_days} >= 0 AND ${c.trial_amount_minor} > 0 AND ${c.open_price_minor} >= 0
         AND ${c.billing_cycles} BETWEEN 1 AND 1000 AND (${c.billing_cycles} IS NULL OR ${c.ends_at} IS NULL)`,
    },
    {
      name: "gateway_subscription_quantity",
      expression: (c) =>
        `${c.quantity} > 0 AND (${c.source} = 'store' OR (${c.quantity} <= 10000 AND ${c.amount_minor} % ${c.quantity} = 0))`,
    },
    {
      name: "gateway_subscription_periods",
      expression: (c) =>
        `${c.paid_period} >= -1 AND ${c.current_period} >= 0 AND ${c.billing_cycle_count} + 1 >= ${c.cycles_before} AND ${c.cycles_before} >= 0 AND ${c.failed_payment_count} >= 0
         AND ${c.current_period_end} >= ${c.current_period_start}`,
    },
    {
      name: "gateway_subscription_state",
      expression: (c) =>
        `(${c.status} <> 'TRIALING' OR ${c.trial_end_date} IS NOT NULL)
         AND (${c.status} NOT IN ('ACTIVE', 'PAST_DUE', 'PAUSED') OR (${c.anchor_at} IS NOT NULL AND ${c.next_billing_date} IS NOT NULL))
         AND ((${c.status} = 'PAUSED') = (${c.paused_at} IS NOT NULL))
         AND (${c.status} <> 'PAST_DUE' OR ${c.past_due_since} IS NOT NULL)
         AND (${c.past_due_since} IS NULL OR ${c.status} IN ('PAST_DUE', 'CANCELLED'))`,
    },
  ])

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
    /** What was paid, or is to be paid; with `credit_minor` it is the price of the period. */
    amount_minor: model.number(),
    /** The part of the price that `credits` pay; negative: what an earlier period still cost is in the amount. */
    credit_minor: model.number().default(0),
    /** How many the period is of; a paid trial is one. */
    quantity: model.number().default(1),
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
        `${c.amount_minor} >= 0 AND ${c.amount_minor} + ${c.credit_minor} >= 0 AND ${c.period} >= 0 AND ${c.attempts} >= 0 AND ${c.period_end} >= ${c.period_start} AND ${c.quantity} > 0`,
    },
    {
      name: "gateway_billing_record_paid",
      expression: (c) =>
        `${c.status} NOT IN ('SUCCESS', 'REFUNDED') OR ${c.transaction_id} IS NOT NULL OR ${c.amount_minor} = 0`,
    },
  ])

/** A customer that a merchant bills. `email_key` is the lower-case address that identifies the customer. */
export const GatewayCustomer = model
  .define("gateway_customer", {
    id: model.id({ prefix: "gcu" }).primaryKey(),
    number: model.autoincrement(),
    uuid: model.text(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    name: model.text(),
    email: model.text(),
    email_key: model.text(),
    phone: model.text().nullable(),
    phone_e164: model.text().nullable(),
    store_customer_id: model.text().nullable(),
    opened_at: model.dateTime(),
  })
  .indexes([
    { on: ["number"], unique: true },
    { on: ["uuid"], unique: true },
    { on: ["merchant_id", "environment", "email_key"], unique: true },
    { on: ["merchant_id", "environment", "number"] },
    { on: ["store_customer_id"], where: "store_customer_id IS NOT NULL" },
    {
      name: "IDX_gateway_customer_by_phone",
      on: ["merchant_id", "environment", "phone_e164"],
      where: "phone_e164 IS NOT NULL",
    },
  ])

/**
 * A period of a store's subscription that was not delivered, and so not charged, or refunded (docs/decisions/13).
 * `mail_due_at` is real time: when to notify its customer by e-mail; null once that is done or given up.
 */
export const GatewaySkippedPeriod = model
  .define("gateway_skipped_period", {
    id: model.id({ prefix: "gsk" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    subscription_id: model.text(),
    period: model.number(),
    reason: model.enum([...SKIP_REASONS]),
    amount_minor: model.number(),
    period_start: model.dateTime(),
    period_end: model.dateTime(),
    skipped_at: model.dateTime(),
    mail_due_at: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["subscription_id", "period"], unique: true },
    { on: ["mail_due_at"], where: "mail_due_at IS NOT NULL" },
  ])

/**
 * A line of a Medusa cart that begins a subscription when the cart is paid, or completed when it is free: what the
 * shopper agreed to, written before money moves. `amount_minor` is the price of a renewal, `delivery_minor` its delivery's share, `paid_minor` what the
 * line and its delivery cost in the cart, all in poisha and for the whole quantity. `store_customer_id` decides who owns the subscription in the store, never a matching
 * e-mail address.
 */
export const GatewayStorePurchase = model
  .define("gateway_store_purchase", {
    id: model.id({ prefix: "gsp" }).primaryKey(),
    merchant_id: model.text(),
    environment: model.enum(["sandbox", "production"]),
    /** Null: the cart costs nothing, and stands for itself. */
    transaction_id: model.text().nullable(),
    cart_id: model.text(),
    line_item_id: model.text(),
    variant_id: model.text(),
    plan_id: model.text(),
    store_customer_id: model.text(),
    customer: model.json(),
    /** Where its renewals are sent (`DeliveryAddress`); null: where its first order was, or nothing is sent. */
    delivery_address: model.json().nullable(),
    quantity: model.number(),
    amount_minor: model.number(),
    delivery_minor: model.number().default(0),
    paid_minor: model.number(),
    /** What its first invoice consists of (`InvoiceLine`). */
    lines: model.json(),
    trial_period_days: model.number().nullable(),
    /** The plan has a trial, and this customer had one: the line is sold at the plan's price. */
    trial_refused: model.boolean().default(false),
    /** When it was about to be paid (real time): while it may be, nobody else gets the trial. */
    trial_claimed_at: model.dateTime().nullable(),
    billing_cycles: model.number().nullable(),
    subscription_id: model.text().nullable(),
    /** Of a free cart: the run that makes its order, and until when it has the right to. */
    lock_token: model.text().nullable(),
    locked_until: model.dateTime().nullable(),
  })
  .indexes([
    { on: ["transaction_id", "line_item_id"], unique: true },
    { on: ["cart_id", "line_item_id"], unique: true, where: "transaction_id IS NULL" },
    { on: ["locked_until"], where: "transaction_id IS NULL AND subscription_id IS NULL" },
    { on: ["subscription_id"], unique: true, where: "subscription_id IS NOT NULL" },
    { on: ["store_customer_id"], where: "subscription_id IS NOT NULL" },
    {
      name: "IDX_gateway_store_purchase_claims",
      on: ["merchant_id", "environment", "trial_claimed_at"],
      where: "trial_claimed_at IS NOT NULL AND subscription_id IS NULL",
    },
  ])
  .checks([
    {
      name: "gateway_store_purchase_terms",
      expression: (c) =>
        `${c.quantity} > 0 AND ${c.delivery_minor} >= 0 AND ${c.amount_minor} > ${c.delivery_minor} AND ` +
        `${c.paid_minor} >= 0 AND ${c.trial_period_days} >= 0`,
    },
  ])
