import { amountMismatch, isFinal } from "../acquirers/amount-mismatch"
import type { Absent, Done, References, Refused, Unknown } from "../acquirers/port"
import { recordMismatch, type MismatchAlarm } from "../payments/amount-mismatches"
import { refundCompleted, refundReleased } from "../ledger/rules"
import { refundable } from "./rules"
import { refundMachine } from "./states"
import { auditInsert, auditRows, type AuditEntry, type By } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import { entryInsert, entryRows } from "../ledger/records"
import { eventCtes, eventRows, type OutgoingEvent } from "../kernel/database/outbox"
import { queueReceipts, type ReceiptOccasion } from "../payments/receipt-rows"
import { ipnOf, merchantNow } from "../payments/records"
import type { TransactionService } from "../payments/transactions"
import {
  lockTransaction,
  refundEvents,
  queueOrderSync,
  settledEntry,
  type Refund,
  type RefundableRecord,
  type RefundChange,
} from "./records"

/**
 * The acquirer's answer about one refund; `refund` is its state when the acquirer was asked. `by`: an admin who has
 * found the answer in the acquirer's dashboard; absent: the gateway has asked. `reference`: by which the acquirer knows
 * a refund (`Acquirer.refundReference`).
 */
export type Answered = { refund: Refund; answer: Done | Refused | Unknown | Absent; by?: By; reference?: string }

/** Another process has settled one of the refunds meanwhile: read them again. */
export class StaleRefundError extends Error {}

/** What is decided under the transaction's lock. Amounts in hundredths of the payment's currency. */
type Settlement = {
  record: RefundableRecord
  now: Date
  changes: RefundChange[]
  audited: AuditEntry[]
  /** Still under way; the acquirer says when it will know, or how it calls the refund. */
  postponed: { id: string; ask_again_at?: Date; acquirer_ids: References }[]
  /** Still open: the acquirer reports another amount or currency. */
  mismatched: MismatchAlarm[]
  /** Still open: the acquirer does not know what became of them. */
  unresolved: string[]
}

/** Raise `alarms` after COMMIT, and report those that are `unresolved` from now on. */
export type Settled = { refunds: Refund[]; alarms: MismatchAlarm[]; unresolved: string[] }

/**
 * Writes the acquirer's answers about refunds of one transaction, under the transaction's lock. `unknown` changes only
 * the time of the next inquiry. A settled refund stays as it is, so an answer may arrive twice. `sql` is a database
 * transaction. Throws `StaleRefundError`, before it writes anything, when a refund has changed since it was read: this
 * saves reading it again in the usual case.
 */
export async function recordAnswers(
  sql: Sql,
  transactions: TransactionService,
  transaction_id: string,
  answered: readonly Answered[]
): Promise<Settled> {
  const locked = await lockTransaction(sql, transaction_id)
  if (locked === null) {
    throw new Error(`the transaction ${transaction_id} is gone while its refunds are being settled`)
  }
  const settlement: Settlement = {
    record: locked,
    now: merchantNow(locked),
    changes: [],
    audited: [],
    postponed: [],
    mismatched: [],
    unresolved: [],
  }
  const refunds = (await withOwnReferences(sql, answered)).map((one) => settleOne(settlement, one))
  const { record, now, changes, audited, postponed, mismatched } = settlement
  if (changes.length > 0 || postponed.length > 0) {
    const ipn = await closeWhenFullyRefunded(sql, transactions, settlement)
    await write(sql, { record, now, changes: withLast(changes, ipn), audited, postponed })
  }
  const alarms: MismatchAlarm[] = []
  for (const alarm of mismatched) {
    if (await recordMismatch(sql, alarm)) {
      alarms.push(alarm)
    }
  }
  return { refunds, alarms, unresolved: await noteUnresolved(sql, settlement.unresolved, now) }
}

/**
 * An answer that names another refund of the payment would complete both when one is paid out. It is replaced by one
 * that says nothing about this refund. `sql` holds the transaction's lock, so of two answers with one number the second
 * is found.
 */
async function withOwnReferences(sql: Sql, answered: readonly Answered[]): Promise<Answered[]> {
  const own: Answered[] = []
  for (const one of answered) {
    const number = numberIn(one)
    const isOthers =
      number !== undefined &&
      (own.some((other) => other.refund.id !== one.refund.id && numberIn(other) === number) ||
        (await isOfAnother(sql, one, number)))
    own.push(isOthers ? { ...one, answer: withoutNumber(one) } : one)
  }
  return own
}

function numberIn({ answer, reference }: Answered): string | undefined {
  if (reference === undefined || answer.result === "absent") {
    return undefined
  }
  return answer.references?.[reference] ?? (answer.result === "done" ? answer.reference : undefined)
}

async function isOfAnother(sql: Sql, { refund, reference }: Answered, number: string): Promise<boolean> {
  const others = await sql.query(
    `SELECT 1 AS found FROM gateway_refund
     WHERE transaction_id = $1 AND id <> $2 AND (acquirer_ids ->> $3 = $4 OR acquirer_reference = $4) LIMIT 1`,
    [refund.transaction_id, refund.id, reference, number]
  )
  return others.length > 0
}

function withoutNumber({ answer, reference = "" }: Answered): Unknown {
  const references = { ...("references" in answer ? answer.references : {}) }
  delete references[reference]
  return {
    result: "unknown",
    message: `The acquirer answered "${answer.result}" with the number of another refund of this payment`,
    trouble: "bad_request",
    needs_operator: true,
    references,
  }
}

function settleOne(settlement: Settlement, { refund, answer, by = {} }: Answered): Refund {
  const { record, now } = settlement
  // A request that was repeated while the first was under way has the same refund.
  const duplicate = settlement.changes.find((change) => change.refund.id === refund.id)
  if (duplicate !== undefined) {
    return duplicate.refund
  }
  if (refund.state !== "processing" || answer.result === "absent") {
    return refund
  }
  // What was not sent may be sent again: the refund stays under way.
  if (answer.result === "unknown" || (answer.result === "refused" && answer.retry === true)) {
    const { references: acquirer_ids = {} } = answer
    if (answer.result === "unknown" && answer.needs_operator === true) {
      settlement.unresolved.push(refund.id)
    }
    const ask_again_at = answer.result === "unknown" ? answer.ask_again_at : undefined
    const hasMore = ask_again_at !== undefined || Object.keys(acquirer_ids).length > 0
    const known = settlement.postponed.find(({ id }) => id === refund.id)
    if (known !== undefined) {
      Object.assign(known.acquirer_ids, acquirer_ids)
    } else if (hasMore) {
      settlement.postponed.push({ id: refund.id, ask_again_at, acquirer_ids: { ...acquirer_ids } })
    }
    return refund
  }
  if (answer.result === "done") {
    const mismatch = amountMismatch(refund, answer, now)
    if (mismatch !== null) {
      const { id, merchant_id, environment } = refund
      settlement.mismatched.push({ merchant_id, environment, kind: "refund", id, requested: refund, mismatch })
      return { ...refund, amount_mismatch: mismatch }
    }
  } else if (refund.amount_mismatch !== null && !isFinal(answer)) {
    // It has reported moved money: only its own "nothing has moved" settles that.
    return refund
  }
  const { to: state, emits } = refundMachine.require(refund.state, answer.result === "done" ? "complete" : "fail")
  const settled: Refund =
    answer.result === "done"
      ? { ...refund, state, acquirer_reference: answer.reference, completed_at: now }
      : { ...refund, state, error_code: answer.code, error_message: answer.message }
  settled.acquirer_ids = { ...refund.acquirer_ids, ...answer.references }
  const released = state === "failed" ? refund.amount_minor : 0
  settlement.record = { ...record, refunded_minor: record.refunded_minor - released }
  // The acquirer was asked twice, and the second answer settles the refund: each row is written once.
  settlement.postponed = settlement.postponed.filter(({ id }) => id !== refund.id)
  settlement.changes.push({
    refund: settled,
    emits,
    remaining_minor: Number(refundable(settlement.record)),
  })
  settlement.audited.push(settledEntry(refund, settled, by))
  return settled
}

/**
 * Once the reconciler has asked, an admin has to find out what the acquirer does not know. Returns the refunds that were
 * not noted before.
 */
async function noteUnresolved(sql: Sql, ids: readonly string[], now: Date): Promise<string[]> {
  const rows =
    ids.length === 0
      ? []
      : await sql.query<{ id: string }>(
          `UPDATE gateway_refund SET operator_since = $2, updated_at = now()
           WHERE id = ANY($1) AND state = 'processing' AND operator_since IS NULL AND inquiry_count > 0 RETURNING id`,
          [ids, now]
        )
  return rows.map(({ id }) => id)
}

/** Attaches the one notification of a full refund to the event that completed it. */
function withLast(changes: readonly RefundChange[], ipn: OutgoingEvent["ipn"]): RefundChange[] {
  return changes.map((change, index) => (index === changes.length - 1 ? { ...change, ipn } : change))
}

/** One statement for the refunds, the refunded sum, the ledger, the audit log and the events. */
const WRITE = `
  WITH input AS (
    SELECT * FROM jsonb_to_recordset($3::jsonb) AS refund (id text, state text, acquirer_reference text, error_code text,
      error_message text, completed_at timestamptz, ask_again_at timestamptz, acquirer_ids jsonb)),
  settled AS (
    UPDATE gateway_refund r SET state = i.state, acquirer_reference = i.acquirer_reference, error_code = i.error_code,
      error_message = i.error_message, completed_at = i.completed_at, acquirer_ids = r.acquirer_ids || i.acquirer_ids,
      inquiry_at = CASE WHEN i.state = 'processing' THEN COALESCE(i.ask_again_at, r.inquiry_at) END, updated_at = now()
    FROM input i WHERE r.id = i.id AND r.state = 'processing' RETURNING r.id),
  released AS (
    UPDATE gateway_transaction SET refunded_minor = $2, updated_at = now() WHERE id = $1 AND refunded_minor <> $2),
  posted AS (${entryInsert("$4")} WHERE refund_id IN (SELECT id FROM settled)),
  audited AS (${auditInsert("$6")}),
  ${eventCtes("$5")}
  SELECT (SELECT count(*)::int FROM settled) AS settled, (SELECT gateway_wake_worker()::text FROM event_deliveries LIMIT 1) AS woken`

async function write(
  sql: Sql,
  { record, now, changes, audited, postponed }: Omit<Settlement, "mismatched" | "unresolved">
): Promise<void> {
  const rows = [...changes.map(({ refund }) => refund), ...postponed.map((one) => ({ ...one, state: "processing" }))]
  const postings = changes.map(({ refund }) =>
    refund.state === "completed" ? refundCompleted(refund, now) : refundReleased(refund, now)
  )
  const events = eventRows(refundEvents(record, changes, now))
  const values = [
    record.transaction_id,
    record.refunded_minor,
    JSON.stringify(rows),
    entryRows(postings),
    events,
    auditRows(audited),
  ]
  const [{ settled }] = await sql.query<{ settled: number }>(WRITE, values, "gateway_refund_settle")
  if (settled !== rows.length) {
    throw new StaleRefundError()
  }
  await queueOrderSync(sql, record, changes)
  await queueReceipts(
    sql,
    changes.flatMap((change) => occasionOf(record, change, now))
  )
}

/** The receipt of a completed refund: for merchants that send them, and where the refund asks for it (contract 4.8). */
function occasionOf(record: RefundableRecord, { refund }: RefundChange, at: Date): ReceiptOccasion[] {
  const isSent = refund.state === "completed" && (record.sends_receipts || refund.notify_customer)
  const { merchant_id, environment, transaction_id, id: refund_id } = refund
  return isSent ? [{ merchant_id, environment, transaction_id, refund_id, at }] : []
}

/** Sets a fully refunded transaction to REFUNDED. Returns the order's own notification of that. */
async function closeWhenFullyRefunded(
  sql: Sql,
  transactions: TransactionService,
  { record, changes, now }: Settlement
): Promise<OutgoingEvent["ipn"]> {
  if (record.refunded_minor !== record.amount_minor || record.state !== "SUCCESS" || changes.length === 0) {
    return null
  }
  const open = await sql.query(
    `SELECT 1 FROM gateway_refund
     WHERE transaction_id = $1 AND state IN ('pending', 'processing') AND id <> ALL($2) LIMIT 1`,
    [record.transaction_id, changes.map(({ refund }) => refund.id)]
  )
  if (open.length > 0) {
    return null
  }
  const payment = await transactions.lockSession(sql, record.session_id)
  return ipnOf(await transactions.apply(sql, payment, "refund_in_full", now), "REFUNDED", now)
}
