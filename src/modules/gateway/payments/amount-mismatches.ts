import type { Logger } from "@medusajs/framework/types"
import { describeMismatch, type AmountMismatch, type AskedMoney } from "./acquirers/amount-mismatch"
import { audit } from "../kernel/audit"
import type { Sql } from "../kernel/database"
import { amountMismatches } from "../kernel/metrics"
import type { Tenant } from "../kernel/types"

/** A payment or a refund of which an acquirer reports another amount or currency than it was asked for. */
export type MismatchAlarm = Tenant & {
  kind: "payment" | "refund"
  id: string
  asked: AskedMoney
  mismatch: AmountMismatch
}

const TABLES = {
  payment:
    "UPDATE gateway_transaction SET amount_mismatch = $2, updated_at = now() WHERE id = $1 AND state = 'PROCESSING'",
  refund: "UPDATE gateway_refund SET amount_mismatch = $2, updated_at = now() WHERE id = $1 AND state = 'processing'",
} as const

/**
 * Writes down what an acquirer reports of something that stays open. Answers whether that is news: the reconciler hears
 * the same answer again and again, and an admin is to be alarmed once. `sql` is a database transaction.
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

/** The audit log's part of it, where the row is written with the mismatch already. */
export async function auditMismatch(
  sql: Sql,
  { kind, id, asked, mismatch, merchant_id, environment }: MismatchAlarm
): Promise<void> {
  const action = `${kind}.amount_mismatched`
  await audit(sql, { merchant_id, environment, by: {}, action, resource_id: id, ...describeMismatch(asked, mismatch) })
}

/** The error in the log and the metric that an alert is made of; after COMMIT, so that nothing is told that is not written. */
export function raiseAlarm(logger: Logger, { kind, id, asked, mismatch }: MismatchAlarm): void {
  const { before, after } = describeMismatch(asked, mismatch)
  amountMismatches.inc({ kind })
  const reported = after.amount === null ? "no amount" : `${after.amount} ${after.currency ?? "in no currency"}`
  logger.error(
    `gateway: the acquirer reports ${reported} (reference ${after.reference}) instead of ${before.amount} ${before.currency} for the ${kind} ${id}; it stays open until an admin has cleared it up with the acquirer`
  )
}
