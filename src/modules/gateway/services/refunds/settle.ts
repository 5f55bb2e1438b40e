import type { Absent, Done, Refused, Unknown } from "../../acquirers/port"
import { refundCompleted, refundReleased } from "../../domain/ledger"
import { refundMachine } from "../../domain/state-machines/refund"
import type { Sql } from "../../database"
import { post } from "../../ledger"
import type { OutgoingEvent } from "../../outbox"
import { ipnOf, merchantNow } from "../../records"
import type { TransactionService } from "../transaction"
import { lockTransaction, REFUND_COLUMNS, tellRefunds, type Refund, type RefundableRecord, type RefundChange } from "./record"

/** What the acquirer answered about one refund. */
export type Answered = { id: string; answer: Done | Refused | Unknown | Absent }

type Settled = Refund & { ask_again_at: Date | null }

/**
 * Writes what the acquirer answered about refunds of one transaction, under the transaction's lock. Unknown changes
 * nothing but the time of the next inquiry; one that is settled already stays as it is, so an answer may come twice.
 * `sql` is a database transaction.
 */
export async function settle(
  sql: Sql,
  transactions: TransactionService,
  transaction_id: string,
  answered: readonly Answered[]
): Promise<Refund[]> {
  const record = await lockTransaction(sql, transaction_id)
  const rows = await sql.query<Refund>(
    `SELECT ${REFUND_COLUMNS} FROM gateway_refund r WHERE r.id = ANY($1)`,
    [answered.map(({ id }) => id)],
    "gateway_refund_by_id"
  )
  if (record === null) {
    throw new Error(`the transaction ${transaction_id} is gone while its refunds are being settled`)
  }
  const now = merchantNow(record)
  const byId = new Map(rows.map((refund) => [refund.id, refund]))
  const written: Settled[] = []
  const changes: RefundChange[] = []
  let { refunded_minor } = record
  for (const { id, answer } of answered) {
    const refund = byId.get(id)
    if (refund === undefined || refund.state !== "processing" || answer.result === "absent") {
      continue
    }
    if (answer.result === "unknown") {
      if (answer.ask_again_at !== undefined) {
        written.push({ ...refund, ask_again_at: answer.ask_again_at })
      }
      continue
    }
    const { settled, emits } = settledBy(refund, answer, now)
    refunded_minor -= settled.state === "failed" ? refund.amount_minor : 0
    byId.set(id, settled)
    written.push({ ...settled, ask_again_at: null })
    changes.push({ refund: settled, emits, remaining_minor: record.amount_minor - refunded_minor })
  }
  if (written.length > 0) {
    await write(sql, transaction_id, refunded_minor, written)
  }
  if (changes.length > 0) {
    await post(
      sql,
      changes.map(({ refund }) => (refund.state === "completed" ? refundCompleted(refund, now) : refundReleased(refund, now)))
    )
    const ipn = await closeWhenFullyRefunded(sql, transactions, { ...record, refunded_minor }, now)
    await tellRefunds(sql, record, withLast(changes, ipn), now)
  }
  return answered.map(({ id }) => byId.get(id) as Refund)
}

function settledBy(refund: Refund, answer: Done | Refused, now: Date): { settled: Refund; emits: readonly string[] } {
  const { to: state, emits } = refundMachine.require(refund.state, answer.result === "done" ? "complete" : "fail")
  const settled: Refund =
    answer.result === "done"
      ? { ...refund, state, acquirer_reference: answer.reference, completed_at: now }
      : { ...refund, state, error_code: answer.code, error_message: answer.message }
  return { settled, emits }
}

/** The one notification of a full refund goes out with the event that completed it. */
function withLast(changes: readonly RefundChange[], ipn: OutgoingEvent["ipn"]): RefundChange[] {
  return changes.map((change, index) => (index === changes.length - 1 ? { ...change, ipn } : change))
}

const WRITE = `
  WITH settled AS (
    SELECT * FROM jsonb_to_recordset($3::jsonb) AS refund (id text, state text, acquirer_reference text, error_code text,
      error_message text, completed_at timestamptz, ask_again_at timestamptz)),
  released AS (
    UPDATE gateway_transaction SET refunded_minor = $2, updated_at = now() WHERE id = $1 AND refunded_minor <> $2)
  UPDATE gateway_refund r SET state = s.state, acquirer_reference = s.acquirer_reference, error_code = s.error_code,
    error_message = s.error_message, completed_at = s.completed_at, inquiry_at = s.ask_again_at, updated_at = now()
  FROM settled s WHERE r.id = s.id AND r.state = 'processing'`

async function write(sql: Sql, transaction_id: string, refunded_minor: number, written: readonly Settled[]): Promise<void> {
  await sql.query(WRITE, [transaction_id, refunded_minor, JSON.stringify(written)], "gateway_refund_settle")
}

/** All of it has gone back: the transaction is REFUNDED. Answers the order's own notification of that. */
async function closeWhenFullyRefunded(
  sql: Sql,
  transactions: TransactionService,
  record: RefundableRecord,
  now: Date
): Promise<OutgoingEvent["ipn"]> {
  if (record.refunded_minor !== record.amount_minor || record.state !== "SUCCESS") {
    return null
  }
  const open = await sql.query(
    "SELECT 1 FROM gateway_refund WHERE transaction_id = $1 AND state IN ('pending', 'processing') LIMIT 1",
    [record.transaction_id]
  )
  if (open.length > 0) {
    return null
  }
  const payment = await transactions.lockSession(sql, record.session_id)
  return ipnOf(await transactions.apply(sql, payment, "refund_in_full", now), "REFUNDED", now)
}
