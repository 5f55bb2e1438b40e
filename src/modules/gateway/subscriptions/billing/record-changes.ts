import type { Sql } from "../../kernel/database/database"
import type { Bought } from "../change-rules"
import { openBounds, openPeriod } from "../lifecycle"
import type { SubscriptionRow } from "../records"
import { agreedCost } from "./records"
import { billingRecordMachine } from "./states"

/** The money of a period's payment has been given back in full (`refund`), or the shopper's bank sent it back (`bounce`). */
export async function noteRefund(sql: Sql, transaction_id: string, on: "refund" | "bounce"): Promise<void> {
  const from = on === "refund" ? "SUCCESS" : "REFUNDED"
  const { to } = billingRecordMachine.require(from, on)
  await sql.query(
    "UPDATE gateway_billing_record SET status = $3, updated_at = now() WHERE transaction_id = $1 AND status = $2",
    [transaction_id, from, to]
  )
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

/** The open period, whose charge has failed, costs and lasts what is agreed now. */
export async function repriceRecord(sql: Sql, row: SubscriptionRow, at: Date): Promise<void> {
  const { amount_minor, credit_minor, quantity } = agreedCost(row)
  const { start, end } = openBounds(row, at)
  await sql.query(
    `UPDATE gateway_billing_record SET amount_minor = $3, credit_minor = $4, billing_date = $5, period_start = $5,
       period_end = $6, quantity = $7, updated_at = now()
     WHERE subscription_id = $1 AND period = $2 AND status = 'FAILED'`,
    [row.id, openPeriod(row), amount_minor, credit_minor, start, end, quantity]
  )
}

/** The current period, which is paid, ends at `at`. */
export async function closeRecord(sql: Sql, row: SubscriptionRow, at: Date): Promise<void> {
  await sql.query(
    "UPDATE gateway_billing_record SET period_end = $3, updated_at = now() WHERE subscription_id = $1 AND period = $2",
    [row.id, row.current_period, at]
  )
}

/**
 * What the current period was bought for. Its invoice has the plan and the days that were bought; the record moves with
 * a pause. A refund that waits counts as given back, and so does a payment that is disputed.
 */
export async function boughtPeriod(sql: Sql, row: SubscriptionRow): Promise<Bought> {
  const [bought] = await sql.query<Bought>(
    `SELECT GREATEST(r.amount_minor + r.credit_minor - COALESCE(t.refunded_minor + t.disputed_minor, 0), 0) AS value, r.quantity,
       CASE WHEN i.id IS NULL THEN $3 ELSE i.plan_name END AS plan_name,
       CASE WHEN i.id IS NULL THEN $4 ELSE i.plan_name_bn END AS plan_name_bn,
       COALESCE(i.period_start, r.period_start) AS start, COALESCE(i.period_end, r.period_end) AS end
     FROM gateway_billing_record r
     LEFT JOIN gateway_transaction t ON t.id = r.transaction_id
     LEFT JOIN gateway_invoice i ON i.subscription_id = r.subscription_id AND i.period = r.period AND i.status = 'PAID'
     WHERE r.subscription_id = $1 AND r.period = $2 AND r.status IN ('SUCCESS', 'REFUNDED')`,
    [row.id, row.current_period, row.plan_name, row.plan_name_bn]
  )
  const { opened_at, current_period_start, current_period_end, quantity, plan_name, plan_name_bn } = row
  const bounds = { start: current_period_start ?? opened_at, end: current_period_end ?? opened_at }
  return bought ?? { value: 0, quantity, plan_name, plan_name_bn, ...bounds }
}
