import type { Logger } from "@medusajs/framework/types"
import { describeMismatch, type AmountMismatch, type RequestedMoney } from "../acquirers/amount-mismatch"
import { audit } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import { amountMismatches } from "../kernel/http/metrics"
import type { Tenant } from "../kernel/types"
import type { PaymentRecord } from "./records"

/** An acquirer reports another amount or currency for a payment or refund than requested. */
export type MismatchAlarm = Tenant & {
  kind: "payment" | "refund"
  id: string
  requested: RequestedMoney
  mismatch: AmountMismatch
}

const TABLES = {
  payment:
    "UPDATE gateway_transaction SET amount_mismatch = $2, updated_at = now() WHERE id = $1 AND state = 'PROCESSING'",
  refund: "UPDATE gateway_refund SET amount_mismatch = $2, updated_at = now() WHERE id = $1 AND state = 'processing'",
} as const

/**
 * Stores what an acquirer reports about a row that stays open. Returns whether the report is new: the reconciler
 * receives the same answer again and again, but admins are alarmed once. `sql` is a database transaction.
 */
export async function recordMismatch(sql: Sql, alarm: MismatchAlarm): Promise<boolean> {
  const { kind, id, mismatch } = alarm
  const rows = await sql.query(
    `${TABLES[kind]} AND (amount_mismatch IS NULL OR amount_mismatch - 'at' <> $2::jsonb - 'at') RETURNING id`,
    [id, JSON.stringify(mismatch)]
  )
  if (rows.length === 1) {
    await auditMismatch(sql, alarm)
  }
  return rows.length === 1
}

/**
 * The same about an attempt that is over: its payment may be paid or ended, so the report is kept among the attempt's
 * details.
 */
export async function noteMismatch(sql: Sql, attempt_id: string, alarm: MismatchAlarm): Promise<boolean> {
  const { amount_minor, currency, reference } = alarm.mismatch
  const rows = await sql.query(
    `UPDATE gateway_payment_attempt SET details = details || $2::jsonb, updated_at = now()
     WHERE id = $1 AND NOT details @> $2::jsonb RETURNING id`,
    [
      attempt_id,
      JSON.stringify({
        reported_minor: amount_minor ?? "",
        reported_currency: currency ?? "",
        reported_reference: reference,
      }),
    ]
  )
  if (rows.length === 1) {
    await auditMismatch(sql, alarm)
  }
  return rows.length === 1
}

/** Only the audit entry, where the row already holds the mismatch. */
export async function auditMismatch(
  sql: Sql,
  { kind, id, requested, mismatch, merchant_id, environment }: MismatchAlarm
): Promise<void> {
  const action = `${kind}.amount_mismatched` as const
  await audit(sql, {
    merchant_id,
    environment,
    by: {},
    action,
    resource_id: id,
    ...describeMismatch(requested, mismatch),
  })
}

/** Writes the error log and the metric for alerts. Call it after COMMIT, so that nothing unwritten is announced. */
export function raiseAlarm(logger: Logger, { kind, id, requested, mismatch }: MismatchAlarm): void {
  const { before, after } = describeMismatch(requested, mismatch)
  amountMismatches.inc({ kind })
  const reported = after.amount === null ? "no amount" : `${after.amount} ${after.currency ?? "in no currency"}`
  logger.error(
    `gateway: the acquirer reports ${reported} (reference ${after.reference}) instead of ${before.amount} ${before.currency} for the ${kind} ${id}; it stays open until an admin has cleared it up with the acquirer`
  )
}

/** The alarm about a payment. */
export function alarmOf(record: PaymentRecord, mismatch: AmountMismatch): MismatchAlarm {
  const { merchant_id, environment, transaction_id: id } = record
  return { merchant_id, environment, kind: "payment", id, requested: record, mismatch }
}
