import { messageOf } from "../../../../i18n/message"
import { columnar, json, type Sql } from "../../kernel/database/database"
import { GatewayError } from "../../kernel/errors"
import { newOrderedId } from "../../kernel/text/ids"
import { openAmount, openBounds, openPeriod, openPrice } from "../lifecycle"
import type { BillingRecordState } from "./states"
import type { References } from "../../acquirers/port"
import { mayCharge } from "../../saved-methods/permission-to-charge"
import { BILLING_RECORD_COLUMNS, type BillingRecord, type SubscriptionRow } from "../records"

/** The billing record of a subscription's open period, or of another one; null where there is none yet. */
export async function openRecord(
  sql: Sql,
  row: SubscriptionRow,
  period = openPeriod(row)
): Promise<BillingRecord | null> {
  const [record] = await sql.query<BillingRecord>(
    `SELECT ${BILLING_RECORD_COLUMNS} FROM gateway_billing_record r WHERE r.subscription_id = $1 AND r.period = $2`,
    [row.id, period]
  )
  return record ?? null
}

/** In poisha: what is to be paid, and what credits pay. Together they are the price of `quantity`. */
type Cost = { amount_minor: number; credit_minor: number; quantity: number }

/**
 * What the open period costs now. One that has begun unpaid keeps the amount it failed with (decisions: Plans). One
 * whose charge failed during a pause has not begun: it takes the length that is agreed now, so it takes that amount too.
 */
export function costOf(row: SubscriptionRow, record: BillingRecord | null): Cost {
  const isAsAgreedNow =
    record === null || record.status === "PENDING" || (record.status === "FAILED" && record.period > row.current_period)
  const { amount_minor, credit_minor, quantity } = isAsAgreedNow ? agreedCost(row) : record
  return { amount_minor, credit_minor, quantity }
}

/** What is to be paid of `costOf`. */
export function amountDue(row: SubscriptionRow, record: BillingRecord | null): number {
  return costOf(row, record).amount_minor
}

/** What the open period costs on the terms that hold now. A trial has a price of its own, whatever the quantity. */
export function agreedCost(row: SubscriptionRow): Cost {
  const amount_minor = openAmount(row)
  const quantity = openPeriod(row) === 0 ? 1 : row.quantity
  return { amount_minor, credit_minor: openPrice(row) - amount_minor, quantity }
}

/** A period that is about to be charged; `id` is the record's if it has none yet. */
type RecordRequest = {
  id: string
  subscription_id: string
  period: number
  amount_minor: number
  credit_minor: number
  quantity: number
  period_start: Date
  period_end: Date
  at: Date
}

const RECORD_COLUMNS = {
  id: "text",
  subscription_id: "text",
  period: "int",
  amount_minor: "int",
  credit_minor: "int",
  quantity: "int",
  period_start: "timestamptz",
  period_end: "timestamptz",
  at: "timestamptz",
}

/**
 * Marks periods as being charged, in one statement, and counts the attempt; one that was being charged when its worker
 * died goes on with the same attempt, and so with the same key (`isRepeated`). Only what is leased under `token`, for
 * long enough to be charged, is reserved, and only while its merchant may charge; what comes back may be charged. It
 * locks the subscriptions. Otherwise another transaction could change a subscription, whose lease has run out, before
 * this record is visible.
 */
export async function reserveRecords(
  sql: Sql,
  requests: readonly RecordRequest[],
  lease: { token: string; secondsLeft: number }
): Promise<BillingRecord[]> {
  const { values } = columnar(RECORD_COLUMNS, requests, 3)
  return sql.query<BillingRecord>(
    RESERVE,
    [lease.token, lease.secondsLeft, ...values],
    "gateway_reserve_billing_records"
  )
}

/**
 * `ANY($4)` says again which subscriptions these are: PostgreSQL believes that a token leases a single one, and would
 * read the whole table for it. The amount is decided as in `costOf`.
 */
const RESERVE = `
  INSERT INTO gateway_billing_record AS r (id, uuid, merchant_id, environment, subscription_id, period, status, amount_minor,
    credit_minor, quantity, currency, billing_date, period_start, period_end, attempts, opened_at)
  SELECT input.id, gen_random_uuid()::text, s.merchant_id, s.environment, s.id, input.period, 'PROCESSING',
    input.amount_minor, input.credit_minor, input.quantity, s.currency, input.period_start, input.period_start, input.period_end, 1, input.at
  FROM ${columnar(RECORD_COLUMNS, [], 3).source}
  JOIN gateway_subscription s ON s.id = input.subscription_id AND s.lock_token = $1
    AND s.locked_until > now() + $2 * interval '1 second'
  JOIN gateway_merchant m ON m.id = s.merchant_id
  JOIN gateway_merchant_environment e ON e.merchant_id = s.merchant_id AND e.environment = s.environment
  WHERE ${mayCharge("subscriptions")} AND s.id = ANY($4)
  FOR KEY SHARE OF s, m, e
  ON CONFLICT (subscription_id, period) DO UPDATE SET
    status = 'PROCESSING', error_code = NULL, updated_at = now(),
    attempts = CASE r.status WHEN 'PROCESSING' THEN r.attempts ELSE r.attempts + 1 END,
    charge_references = CASE r.status WHEN 'PROCESSING' THEN COALESCE(r.charge_references, '{}') END,
    (amount_minor, credit_minor, quantity) = (SELECT
      CASE WHEN agreed_now THEN excluded.amount_minor ELSE r.amount_minor END,
      CASE WHEN agreed_now THEN excluded.credit_minor ELSE r.credit_minor END,
      CASE WHEN agreed_now THEN excluded.quantity ELSE r.quantity END
      FROM (SELECT r.status = 'PENDING' OR r.status = 'FAILED' AND r.period > open.current_period AS agreed_now
        FROM gateway_subscription open WHERE open.id = r.subscription_id) terms),
    period_start = CASE r.status WHEN 'PROCESSING' THEN r.period_start ELSE excluded.period_start END,
    period_end = CASE r.status WHEN 'PROCESSING' THEN r.period_end ELSE excluded.period_end END
  WHERE r.status IN ('PENDING', 'FAILED', 'PROCESSING')
  RETURNING ${BILLING_RECORD_COLUMNS}`

/**
 * Whether an earlier worker began the same attempt and may have sent its charge. Takes a record that `reserveRecords`
 * returned. The first to reserve an attempt gets no references with it, everybody else does.
 */
export function isRepeated({ charge_references }: BillingRecord): boolean {
  return charge_references !== null
}

/**
 * Takes back reservations under which nothing was ever sent, except those of repeated attempts. Their periods are as
 * due as before, and the attempt is not counted. A retry shows the previous failure again.
 */
export async function returnRecords(sql: Sql, reserved: readonly BillingRecord[]): Promise<void> {
  const ids = reserved.filter((record) => !isRepeated(record)).map(({ id }) => id)
  if (ids.length > 0) {
    await sql.query(
      `UPDATE gateway_billing_record r SET status = CASE WHEN r.attempts > 1 THEN 'FAILED' ELSE 'PENDING' END,
         error_code = CASE WHEN r.attempts > 1 THEN
           (SELECT t.error_code FROM gateway_transaction t WHERE t.id = r.transaction_id) END,
         attempts = r.attempts - 1, charge_references = NULL, updated_at = now()
       WHERE r.id = ANY($1) AND r.status = 'PROCESSING'`,
      [ids]
    )
  }
}

/**
 * Keeps what an acquirer's adapter saves of a charge before money can move. Throws when the worker's lease is over: the
 * charge is another worker's then, and nothing may be sent.
 */
export async function saveChargeReferences(
  sql: Sql,
  { id, attempts }: BillingRecord,
  references: References,
  lease_token: string
): Promise<void> {
  const saved = await sql.query(
    `UPDATE gateway_billing_record r SET charge_references = $3, updated_at = now()
     FROM gateway_subscription s
     WHERE r.id = $1 AND r.attempts = $2 AND r.status = 'PROCESSING'
       AND s.id = r.subscription_id AND s.lock_token = $4 AND s.locked_until > now() RETURNING 1`,
    [id, attempts, json(references), lease_token]
  )
  if (saved.length === 0) {
    throw new Error(`the charge of billing record ${id} is no longer this worker's`)
  }
}

/** Removes the records of periods that are skipped, whose charges were taken back: nobody has tried to pay them. */
export async function dropUnused(
  sql: Sql,
  periods: readonly { subscription_id: string; period: number }[]
): Promise<void> {
  if (periods.length > 0) {
    const { source, values } = columnar({ subscription_id: "text", period: "int" }, periods)
    await sql.query(
      `DELETE FROM gateway_billing_record r USING ${source}
       WHERE r.subscription_id = input.subscription_id AND r.period = input.period
         AND r.status = 'PENDING' AND r.attempts = 0 AND r.transaction_id IS NULL`,
      values
    )
  }
}

/** The records of periods, by subscription and period. */
export async function recordsOf(
  sql: Sql,
  periods: readonly { subscription_id: string; period: number }[]
): Promise<Map<string, BillingRecord>> {
  if (periods.length === 0) {
    return new Map()
  }
  const { source, values } = columnar({ subscription_id: "text", period: "int" }, periods)
  const records = await sql.query<BillingRecord>(
    `SELECT ${BILLING_RECORD_COLUMNS} FROM gateway_billing_record r
     JOIN ${source} ON r.subscription_id = input.subscription_id AND r.period = input.period`,
    values
  )
  return new Map(records.map((record) => [`${record.subscription_id} ${record.period}`, record]))
}

/** Notes which payment a period waits for: its outcome is not known, and somebody else will settle it. */
export async function awaitPayments(
  sql: Sql,
  payments: readonly { id: string; transaction_id: string; session_id: string }[]
): Promise<void> {
  const { source, values } = columnar({ id: "text", transaction_id: "text", session_id: "text" }, payments)
  await sql.query(
    `UPDATE gateway_billing_record r
     SET transaction_id = input.transaction_id, session_id = input.session_id, updated_at = now()
     FROM ${source} WHERE r.id = input.id AND r.status = 'PROCESSING'`,
    values
  )
}

export type RecordSettlement = {
  id: string
  status: BillingRecordState
  transaction_id: string | null
  session_id: string | null
  error_code: string | null
  period_start: Date
  period_end: Date
}

const SETTLEMENT = {
  id: "text",
  status: "text",
  transaction_id: "text",
  session_id: "text",
  error_code: "text",
  period_start: "timestamptz",
  period_end: "timestamptz",
}

/** Writes the outcomes in one statement; it fails if any record is not PROCESSING. */
export async function settleRecords(sql: Sql, settlements: readonly RecordSettlement[]): Promise<void> {
  const { source, values } = columnar(SETTLEMENT, settlements)
  const settled = await sql.query(
    `UPDATE gateway_billing_record r
     SET status = input.status, transaction_id = COALESCE(input.transaction_id, r.transaction_id),
         session_id = COALESCE(input.session_id, r.session_id), error_code = input.error_code,
         period_start = input.period_start, period_end = input.period_end, updated_at = now()
     FROM ${source} WHERE r.id = input.id AND r.status = 'PROCESSING' RETURNING 1`,
    values,
    "gateway_settle_billing_records"
  )
  if (settled.length !== settlements.length) {
    throw new GatewayError("INVALID_STATE_TRANSITION")
  }
}

/**
 * Marks the open period as being paid by this payment; by none when credits pay it. 409 INVALID_STATE_TRANSITION when
 * it is paid or being paid already.
 */
export async function holdPeriod(
  sql: Sql,
  row: SubscriptionRow,
  payment: Cost & { transaction_id: string | null; session_id: string | null },
  now: Date
): Promise<BillingRecord> {
  const { start, end } = openBounds(row, now)
  const [held] = await sql.query<BillingRecord>(
    `INSERT INTO gateway_billing_record AS r (id, uuid, merchant_id, environment, subscription_id, period, status,
       amount_minor, currency, billing_date, period_start, period_end, transaction_id, session_id, opened_at, credit_minor, quantity)
     VALUES ($1, gen_random_uuid()::text, $2, $3, $4, $5, 'PROCESSING', $6, $7, $8, $8, $9, $10, $11, $12, $13, $14)
     ON CONFLICT (subscription_id, period) DO UPDATE SET status = 'PROCESSING', amount_minor = excluded.amount_minor,
       credit_minor = excluded.credit_minor, quantity = excluded.quantity, billing_date = excluded.billing_date, period_start = excluded.period_start, period_end = excluded.period_end,
       transaction_id = excluded.transaction_id, session_id = excluded.session_id, error_code = NULL, updated_at = now()
     WHERE r.status IN ('PENDING', 'FAILED')
     RETURNING ${BILLING_RECORD_COLUMNS}`,
    [
      newOrderedId("sbr"),
      row.merchant_id,
      row.environment,
      row.id,
      openPeriod(row),
      payment.amount_minor,
      row.currency,
      start,
      end,
      payment.transaction_id,
      payment.session_id,
      now,
      payment.credit_minor,
      payment.quantity,
    ]
  )
  if (held === undefined) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.period_paid"))
  }
  return held
}
