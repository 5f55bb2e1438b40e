import { auditInsert, auditRows, type AuditEntry, type By } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import { eventCtes, eventRows, type OutgoingEvent } from "../kernel/database/outbox"
import { post } from "../ledger/records"
import type { Changing } from "./changes"
import type { Dispute, DisputedPayment, Held } from "./records"
import { eventData, takenBy } from "./rules"

/** One statement for the dispute, what it takes of the payment, the audit log and the events. */
const WRITE = `
  WITH changed AS (
    UPDATE gateway_dispute SET state = $2, amount_minor = $3, fee_minor = $4, fee_returned = $5, reason = $6, due_by = $7,
      submitted_at = $8, accepted_at = $9, missed_at = $10, closed_at = $11, reinstated_at = $12,
      notice = COALESCE($13, notice), reminded_at = CASE WHEN due_by IS NOT DISTINCT FROM $7 THEN reminded_at END,
      inquiry_at = CASE WHEN $11::timestamptz IS NULL THEN inquiry_at END, updated_at = now()
    WHERE id = $1 AND state = $14 RETURNING transaction_id),
  taken AS (
    UPDATE gateway_transaction SET disputed_minor = disputed_minor + $15, updated_at = now()
    WHERE $15::int <> 0 AND id IN (SELECT transaction_id FROM changed)),
  audited AS (${auditInsert("$16")}),
  ${eventCtes("$17")}
  SELECT (SELECT count(*)::int FROM changed) AS changed, (SELECT gateway_wake_worker()::text FROM event_deliveries LIMIT 1) AS woken`

/**
 * Writes what has changed since `before`, under the payment's lock. The ledger comes last: it locks the totals until
 * the transaction ends. A change that withdraws money has locked the balance before (ledger/records.ts).
 */
export async function writeChanges(
  sql: Sql,
  { payment, dispute: before, now }: Held,
  { dispute, events, audited, postings, notice }: Changing,
  by: By
): Promise<Dispute> {
  const { id, state, closed_at } = dispute
  const written: AuditEntry[] = audited.map((entry) => ({
    merchant_id: dispute.merchant_id,
    environment: dispute.environment,
    by,
    resource_id: id,
    ...entry,
  }))
  const [{ changed }] = await sql.query<{ changed: number }>(WRITE, [
    id,
    state,
    dispute.amount_minor,
    dispute.fee_minor,
    dispute.fee_returned,
    dispute.reason,
    dispute.due_by,
    dispute.submitted_at,
    dispute.accepted_at,
    dispute.missed_at,
    closed_at,
    dispute.reinstated_at,
    notice,
    before.state,
    takenBy(dispute) - takenBy(before),
    auditRows(written),
    eventRows(events.map((event) => disputeEvent(payment, event.dispute, event.type, now))),
  ])
  if (changed !== 1) {
    throw new Error(`the dispute ${id} was changed by somebody who did not hold its payment`)
  }
  await post(sql, postings)
  return dispute
}

function disputeEvent(
  payment: DisputedPayment,
  dispute: Dispute,
  event_type: string,
  occurred_at: Date
): OutgoingEvent {
  const { merchant_id, environment, id: resource_id } = dispute
  return {
    merchant_id,
    environment,
    event_type,
    resource_id,
    data: eventData({ ...dispute, order_id: payment.order_id }),
    occurred_at,
  }
}
