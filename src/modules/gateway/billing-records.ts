import { columnar, type Sql } from "./database"
import { GatewayError } from "./domain/errors"
import { openAmount, openPeriod } from "./domain/standing"
import type { BillingRecordState } from "./domain/state-machines/billing-record"
import { BILLING_RECORD_COLUMNS, type BillingRecord, type SubscriptionRow } from "./subscription-records"

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

/** What the open period costs now: a failed one keeps the amount it failed with (decisions: Plans). */
export function amountDue(row: SubscriptionRow, record: BillingRecord | null): number {
  return row.status === "PAST_DUE" && record !== null ? record.amount_minor : openAmount(row)
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

/** Writes how payments in hand ended, in one statement; a record that is not PROCESSING stops everything. */
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

/** Periods that have not begun move with their subscription, and the one that was interrupted ends later. */
export async function moveRecords(sql: Sql, row: SubscriptionRow, milliseconds: number): Promise<void> {
  await sql.query(
    `UPDATE gateway_billing_record SET
       billing_date = CASE WHEN period > $2 THEN billing_date + $3 * interval '1 millisecond' ELSE billing_date END,
       period_start = CASE WHEN period > $2 THEN period_start + $3 * interval '1 millisecond' ELSE period_start END,
       period_end = period_end + $3 * interval '1 millisecond', updated_at = now()
     WHERE subscription_id = $1 AND period >= $2`,
    [row.id, row.current_period, milliseconds]
  )
}
