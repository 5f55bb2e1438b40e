import { randomUUID } from "node:crypto"
import { columnar, type Sql } from "../kernel/database/database"
import { queueCancellationMails } from "./cancellation-mails"
import { dueAt } from "./due-step"
import { GatewayError } from "../kernel/errors"
import { queueHooks, type HookCall } from "../kernel/database/hook-calls"
import { newId, publicId } from "../kernel/text/ids"
import type { Bounds, Lifecycle } from "./lifecycle"
import type { BillingRecordState } from "./billing/states"
import { PLAN_NAMES } from "../plans/rules"
import type { References } from "../acquirers/port"
import { eraseUnusedTokens } from "../saved-methods/instrument-tokens"
import type { Tenant } from "../kernel/types"
import type { TrialColumns } from "./trial-rules"

/** A subscription with its customer, as the services read it. */
export type SubscriptionRow = Tenant &
  Lifecycle &
  TrialColumns & {
    id: string
    number: number
    uuid: string
    customer_id: string
    instrument_id: string | null
    source: "api" | "store"
    currency: string
    meta_data: Record<string, unknown>
    /** It is being charged right now: nothing may change until that is settled. */
    charging: boolean
    /** A payment under way whose outcome decides the next step. */
    awaiting_transaction_id: string | null
    lock_token: string | null
    /** Real time. */
    locked_until: Date | null
    store_order_id: string | null
    store_variant_id: string | null
    plan_id: string | null
    plan_number: number | null
    plan_name: string | null
    plan_name_bn: string | null
    customer_number: number
    customer_name: string
    customer_email: string
    customer_phone: string | null
  }

export const SUBSCRIPTION_COLUMNS = `
  s.id, s.number, s.uuid, s.merchant_id, s.environment, s.customer_id, s.instrument_id, s.source, s.status,
  s.amount_minor, s.quantity, s.open_price_minor, s.credits, s.billing_cycles, s.cycles_before, s.ends_at, s.has_own_end, s.scheduled_change, s.plan_id, s.currency, s.interval_count, s.interval_unit, s.trial_period_days, s.trial_amount_minor,
  s.trial_end_date, s.trial_ending_notified, s.trial_plan_id, s.one_trial, s.trial_before_id, s.anchor_at, s.anchor_period, s.current_period, s.paid_period,
  s.current_period_start, s.current_period_end, s.next_billing_date, s.billing_cycle_count, s.failed_payment_count,
  s.past_due_since, s.retry_at, s.paused_at, s.cancel_at_period_end, s.cancelled_at, s.cancellation_reason, s.cancellation_note, s.ended_at,
  s.awaiting_transaction_id, s.lock_token, s.locked_until, s.meta_data, s.store_order_id, s.store_variant_id, s.opened_at,
  (s.lock_token IS NOT NULL AND s.locked_until > clock_timestamp()) AS charging, calendar.time_zone,
  p.number AS plan_number, ${PLAN_NAMES}, c.number AS customer_number, c.name AS customer_name,
  c.email AS customer_email, c.phone AS customer_phone`

export const SUBSCRIPTION_JOINS = `
  JOIN gateway_customer c ON c.id = s.customer_id
  JOIN gateway_merchant_environment calendar
    ON calendar.merchant_id = s.merchant_id AND calendar.environment = s.environment
  LEFT JOIN gateway_plan p ON p.id = s.plan_id`

export const SUBSCRIPTION_TABLES = `gateway_subscription s ${SUBSCRIPTION_JOINS}`

/** One period's payment (contract 2.11); amount in poisha. */
export type BillingRecord = {
  id: string
  number: number
  uuid: string
  subscription_id: string
  period: number
  status: BillingRecordState
  amount_minor: number
  /** The part of the period's price that credits pay, in poisha. */
  credit_minor: number
  quantity: number
  currency: string
  billing_date: Date
  period_start: Date
  period_end: Date
  attempts: number
  charge_references: References | null
  transaction_id: string | null
  session_id: string | null
  error_code: string | null
  opened_at: Date
}

export const BILLING_RECORD_COLUMNS = `
  r.id, r.number, r.uuid, r.subscription_id, r.period, r.status, r.amount_minor, r.credit_minor, r.quantity, r.currency,
  r.billing_date, r.period_start, r.period_end, r.attempts, r.charge_references, r.transaction_id, r.session_id, r.error_code, r.opened_at`

export function boundsOf(record: BillingRecord): Bounds {
  return { start: record.period_start, end: record.period_end }
}

/** By the integer id or the uuid, or by the row's own id; throws SUBSCRIPTION_NOT_FOUND, for other merchants' too. */
export async function findSubscription(sql: Sql, tenant: Tenant, id: string, lock = ""): Promise<SubscriptionRow> {
  const named = publicId(id) ?? (id.startsWith("gsu_") ? { column: "id", value: id } : null)
  const rows =
    named === null
      ? []
      : await sql.query<SubscriptionRow>(
          `SELECT ${SUBSCRIPTION_COLUMNS} FROM ${SUBSCRIPTION_TABLES}
           WHERE s.merchant_id = $1 AND s.environment = $2 AND s.${named.column} = $3 ${lock}`,
          [tenant.merchant_id, tenant.environment, named.value]
        )
  if (rows.length === 0) {
    throw new GatewayError("SUBSCRIPTION_NOT_FOUND")
  }
  return rows[0]
}

/** The subscription that a request has made; null: none, or the request has no idempotency record. */
export async function madeUnder(
  sql: Sql,
  tenant: Tenant,
  idempotency_id: string | null
): Promise<SubscriptionRow | null> {
  if (idempotency_id === null) {
    return null
  }
  const [made] = await sql.query<{ id: string }>("SELECT id FROM gateway_subscription WHERE idempotency_id = $1", [
    idempotency_id,
  ])
  return made === undefined ? null : findSubscription(sql, tenant, made.id)
}

/** A row to write; the status it was read in guards the write. `instrument_before`: another may have replaced it. */
type SubscriptionWrite = { from: Lifecycle["status"]; next: SubscriptionRow; instrument_before?: string | null }

const LIFE_COLUMNS = {
  status: "text",
  plan_id: "text",
  store_variant_id: "text",
  amount_minor: "int",
  quantity: "int",
  open_price_minor: "int",
  credits: "jsonb",
  billing_cycles: "int",
  cycles_before: "int",
  ends_at: "timestamptz",
  has_own_end: "boolean",
  scheduled_change: "jsonb",
  interval_count: "int",
  interval_unit: "text",
  trial_end_date: "timestamptz",
  trial_ending_notified: "boolean",
  anchor_at: "timestamptz",
  anchor_period: "int",
  current_period: "int",
  paid_period: "int",
  current_period_start: "timestamptz",
  current_period_end: "timestamptz",
  next_billing_date: "timestamptz",
  billing_cycle_count: "int",
  failed_payment_count: "int",
  past_due_since: "timestamptz",
  retry_at: "timestamptz",
  paused_at: "timestamptz",
  cancel_at_period_end: "boolean",
  cancelled_at: "timestamptz",
  cancellation_reason: "text",
  cancellation_note: "text",
  ended_at: "timestamptz",
  instrument_id: "text",
  awaiting_transaction_id: "text",
  lock_token: "text",
  locked_until: "timestamptz",
} as const

/** The other columns of a new subscription; `meta_data` as JSON text. */
type NewSubscriptionRow = TrialColumns & {
  customer_id: string
  plan_id: string | null
  currency: string
  meta_data: string | null
  idempotency_id: string | null
  source?: "api" | "store"
  store_order_id?: string | null
  store_variant_id?: string | null
}

const NEW_COLUMNS = {
  id: "text",
  uuid: "text",
  merchant_id: "text",
  environment: "text",
  customer_id: "text",
  source: "text",
  currency: "text",
  trial_period_days: "int",
  trial_amount_minor: "int",
  trial_plan_id: "text",
  one_trial: "text",
  trial_before_id: "text",
  meta_data: "jsonb",
  store_order_id: "text",
  idempotency_id: "text",
  opened_at: "timestamptz",
  ...LIFE_COLUMNS,
  due_at: "timestamptz",
}

/** Returns the new row's id; null when the idempotency record already has a subscription. */
export async function insertSubscription(
  sql: Sql,
  tenant: Tenant,
  lifecycle: Lifecycle,
  extra: NewSubscriptionRow
): Promise<string | null> {
  const row: Record<keyof typeof NEW_COLUMNS, unknown> = {
    source: "api",
    store_order_id: null,
    store_variant_id: null,
    instrument_id: null,
    awaiting_transaction_id: null,
    lock_token: null,
    locked_until: null,
    ...lifecycle,
    ...extra,
    credits: JSON.stringify(lifecycle.credits),
    id: newId("gsu"),
    uuid: randomUUID(),
    merchant_id: tenant.merchant_id,
    environment: tenant.environment,
    due_at: dueAt(lifecycle, false),
  }
  const names = Object.keys(NEW_COLUMNS) as (keyof typeof NEW_COLUMNS)[]
  const [inserted] = await sql.query<{ id: string }>(
    `INSERT INTO gateway_subscription (${names.join(", ")})
     VALUES (${names.map((name, index) => `$${index + 1}::${NEW_COLUMNS[name]}`).join(", ")})
     ON CONFLICT (idempotency_id) WHERE idempotency_id IS NOT NULL DO NOTHING RETURNING id`,
    names.map((name) => row[name])
  )
  return inserted?.id ?? null
}

const ASSIGNMENTS = [...Object.keys(LIFE_COLUMNS), "due_at"].map((column) => `${column} = input.${column}`).join(", ")

const GOODS = `meta_data = CASE WHEN s.store_variant_id <> input.store_variant_id THEN
  s.meta_data || jsonb_build_object('variant_id', input.store_variant_id) ELSE s.meta_data END`

/**
 * Writes changed subscriptions whose rows are locked, in one statement, with their next due times. A row whose status
 * has changed since it was read aborts everything: INVALID_STATE_TRANSITION. When the last subscription of an
 * instrument ends, its token is erased. `meta_data` names the goods that another plan sends, for who delivers them.
 */
export async function saveSubscriptions(sql: Sql, writes: readonly SubscriptionWrite[]): Promise<void> {
  if (writes.length === 0) {
    return
  }
  const rows = writes.map(({ from, next }) => ({
    ...next,
    from_status: from,
    due_at: dueAt(next, next.awaiting_transaction_id !== null),
  }))
  const { source, values } = columnar({ id: "text", from_status: "text", ...LIFE_COLUMNS, due_at: "timestamptz" }, rows)
  const written = await sql.query(
    `UPDATE gateway_subscription s SET ${ASSIGNMENTS}, ${GOODS}, updated_at = now()
     FROM ${source} WHERE s.id = input.id AND s.status = input.from_status RETURNING 1`,
    values,
    "gateway_save_subscriptions"
  )
  if (written.length !== writes.length) {
    throw new GatewayError("INVALID_STATE_TRANSITION")
  }
  await eraseUnusedTokens(sql, writes.flatMap(releasedInstruments))
  const cancelled = writes.filter(({ from, next }) => next.status === "CANCELLED" && from !== "CANCELLED")
  await queueHooks(sql, cancelled.map(cancellation))
  await queueCancellationMails(sql, cancelled)
}

/** Every way to CANCELLED ends here, so the host's hook is called for each. */
function cancellation({ next }: SubscriptionWrite): HookCall {
  const input = {
    merchant_id: next.merchant_id,
    environment: next.environment,
    subscription_id: next.uuid,
    source: next.source,
    order_id: next.store_order_id,
    reason: next.cancellation_reason,
    cancelled_at: next.cancelled_at?.toISOString() ?? null,
    ends_at: next.current_period_end?.toISOString() ?? null,
  }
  return { hook: "subscriptionCancelled", resource_id: next.id, input }
}

/**
 * Instruments that the subscription no longer charges: its own when it has ended, the previous one when it was
 * replaced.
 */
function releasedInstruments({ next, instrument_before: before = null }: SubscriptionWrite): string[] {
  const current = next.status === "EXPIRED" ? next.instrument_id : null
  const replaced = before === next.instrument_id ? null : before
  return [current, replaced].filter((id) => id !== null)
}
