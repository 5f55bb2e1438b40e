import { messageOf } from "../../../i18n/message"
import type { AcquirerRegistry } from "../acquirers/registry"
import { GatewayError } from "../kernel/errors"
import { newRefundId } from "../kernel/text/ids"
import { refundReserved, requireBalance } from "../ledger/rules"
import { formatAmount, type Minor } from "../kernel/money/money"
import { decideRefund, exceededRoleLimit, needsApproval, refundable } from "./rules"
import { UnapprovedSums } from "./unapproved"
import { nextInquiryAt } from "../kernel/money/retry-schedule"
import { refundMachine } from "./states"
import { auditInsert, auditRows, type AuditEntry } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import { entryInsert, entryRows, lockBalance } from "../ledger/records"
import { eventCtes, eventRows, WAKE } from "../kernel/database/outbox"
import { merchantNow } from "../payments/records"
import {
  lockTransaction,
  REFUND_COLUMNS,
  refundEvents,
  queueOrderSync,
  requestedEntry,
  type Refund,
  type RefundableRecord,
  type RefundChange,
  type RefundRequest,
} from "./records"

/**
 * The result of one request: its refund, new or found by its key, or the refusal. `isKnown`: an earlier request has
 * made the refund.
 */
export type Reservation = { refund: Refund; record: RefundableRecord; isKnown?: true } | { error: GatewayError }

/** What requests for one transaction come to, and what of it is to be written. */
type Decision = { reservations: Reservation[]; change?: Change }
type Change = { record: RefundableRecord; made: readonly RefundChange[]; audited: readonly AuditEntry[]; now: Date }
/**
 * What one merchant's sums are with the refunds decided so far, as far as they have been read and locked: what is left
 * of its balances, by currency, and what was refunded today without approval, by requester.
 */
type Read = { balances: Map<string, Minor>; day: Map<string, Minor> }

/**
 * Reserves refunds. Each list of requests is of one tenant about one transaction, and all are of one merchant. They are
 * decided in order, under the transactions' locks, and each sees what the earlier ones have taken. `refunded_minor`
 * counts what is reserved, and a check constraint keeps it within the amount even if this code is wrong (decisions:
 * Refunds). `sql` is a database transaction. One statement writes all of it, whatever currencies it is in: the ledger's
 * totals are then locked in the order of their keys, as by every other posting.
 */
export async function reserve(
  sql: Sql,
  acquirers: AcquirerRegistry,
  requests: readonly (readonly RefundRequest[])[]
): Promise<Reservation[][]> {
  const read: Read = { balances: new Map(), day: new Map() }
  const decisions: Decision[] = []
  for (const ofOne of requests) {
    decisions.push(await decide(sql, acquirers, ofOne, read))
  }
  await write(
    sql,
    decisions.flatMap(({ change }) => change ?? [])
  )
  return decisions.map(({ reservations }) => reservations)
}

/** Decides about requests of one tenant for one transaction, which this locks. */
async function decide(
  sql: Sql,
  acquirers: AcquirerRegistry,
  requests: readonly RefundRequest[],
  { balances, day }: Read
): Promise<Decision> {
  const [{ transaction_id, tenant }] = requests
  const record = await lockTransaction(sql, transaction_id, tenant)
  if (record === null) {
    return { reservations: requests.map(() => ({ error: new GatewayError("TRANSACTION_NOT_FOUND") })) }
  }
  const now = merchantNow(record)
  const byKey = await existing(sql, transaction_id, requests)
  const usable = await acquirers.of(record, sql)
  const made: RefundChange[] = []
  const audited: AuditEntry[] = []
  let { refunded_minor } = record
  const unapproved = await UnapprovedSums.of(sql, record, now, day)
  let available = await spendable(sql, record, requests, balances)
  const reservations = requests.map((request): Reservation => {
    try {
      const known = request.request_key === null ? undefined : byKey.get(request.request_key)
      if (known !== undefined) {
        return { refund: known, record, isKnown: true }
      }
      const refund = newRefund({ ...record, refunded_minor }, request, now, unapproved)
      const amount = BigInt(refund.amount_minor)
      if (available !== null && request.may_overdraw !== true) {
        requireBalance(available, amount, record.currency)
      }
      usable.byId(record.acquirer)
      available = available === null ? null : available - amount
      refunded_minor += refund.amount_minor
      unapproved.add(refund)
      made.push({ refund, emits: emitted(refund), remaining_minor: Number(refundable({ ...record, refunded_minor })) })
      audited.push(requestedEntry(refund, request.by ?? {}))
      if (refund.request_key !== null) {
        byKey.set(refund.request_key, refund)
      }
      return { refund, record }
    } catch (error) {
      if (GatewayError.is(error)) {
        return { error }
      }
      throw error
    }
  })
  if (available !== null) {
    balances.set(record.currency, available)
  }
  return { reservations, change: { record: { ...record, refunded_minor }, made, audited, now } }
}

/** What may be spent of the balance in the payment's currency, which this locks; null where it may be overdrawn. */
async function spendable(
  sql: Sql,
  record: RefundableRecord,
  requests: readonly RefundRequest[],
  balances: Read["balances"]
): Promise<Minor | null> {
  const unlimited =
    record.environment === "sandbox" ||
    record.may_overdraw ||
    requests.every(({ may_overdraw }) => may_overdraw === true)
  return unlimited ? null : (balances.get(record.currency) ?? lockBalance(sql, record, record.currency))
}

function newRefund(record: RefundableRecord, request: RefundRequest, now: Date, unapproved: UnapprovedSums): Refund {
  const { amount, type } = decideRefund({ ...record, now }, request)
  const above = exceededRoleLimit(record, BigInt(record.refunded_minor) + amount, request.roles ?? [])
  if (above !== null && request.subject_to_approval !== true) {
    throw new GatewayError(
      "INSUFFICIENT_SCOPE",
      messageOf("refusal.refund_above_role_limit", { amount: formatAmount(above) })
    )
  }
  const approval =
    request.subject_to_approval === true &&
    (above !== null || needsApproval(record.currency, unapproved.with(amount, request), record))
  const held_for = approval ? "approval" : request.batch === undefined ? null : "batch"
  return {
    id: newRefundId(),
    merchant_id: record.merchant_id,
    environment: record.environment,
    transaction_id: record.transaction_id,
    state: held_for === null ? refundMachine.require(refundMachine.initial, "process").to : refundMachine.initial,
    type,
    amount_minor: Number(amount),
    currency: record.currency,
    reason: request.reason,
    metadata: request.metadata ?? null,
    notify_customer: request.notify_customer ?? false,
    requested_by: request.requested_by,
    request_key: request.request_key,
    held_for,
    reviewed_by: null,
    review_note: null,
    batch_id: request.batch?.id ?? null,
    batch_position: request.batch?.position ?? null,
    lock_token: null,
    acquirer_reference: null,
    acquirer_ids: {},
    amount_mismatch: null,
    error_code: null,
    error_message: null,
    operator_since: null,
    created_at: now,
    completed_at: null,
    dealt_with_at: null,
    dealt_with_by: null,
    dealt_with_note: null,
  }
}

function emitted({ state }: Refund): readonly string[] {
  const { creation, initial } = refundMachine
  return state === initial ? creation.emits : [...creation.emits, ...refundMachine.require(initial, "process").emits]
}

async function existing(
  sql: Sql,
  transaction_id: string,
  requests: readonly RefundRequest[]
): Promise<Map<string, Refund>> {
  const keys = requests.flatMap(({ request_key }) => (request_key === null ? [] : [request_key]))
  const rows =
    keys.length === 0
      ? []
      : await sql.query<Refund & { request_key: string }>(
          `SELECT ${REFUND_COLUMNS} FROM gateway_refund r WHERE r.transaction_id = $1 AND r.request_key = ANY($2)`,
          [transaction_id, keys],
          "gateway_refund_by_key"
        )
  return new Map(rows.map((refund) => [refund.request_key, refund]))
}

/** One statement for the refunds, the refunded sums, the ledger, the audit log and the events. */
const WRITE = `
  WITH reserved AS (
    UPDATE gateway_transaction t SET refunded_minor = input.refunded_minor, updated_at = now()
    FROM unnest($1::text[], $2::int[]) AS input (id, refunded_minor) WHERE t.id = input.id),
  refunds AS (
    INSERT INTO gateway_refund
      (id, transaction_id, merchant_id, environment, state, type, amount_minor, currency, reason, metadata, notify_customer,
       requested_by, requested_at, request_key, held_for, batch_id, batch_position, inquiry_at)
    SELECT id, transaction_id, merchant_id, environment, state, type, amount_minor, currency, reason, metadata,
           notify_customer, requested_by, created_at, request_key, held_for, batch_id, batch_position, inquiry_at
    FROM jsonb_to_recordset($3::jsonb) AS refund (id text, transaction_id text, merchant_id text, environment text,
      state text, type text, amount_minor int, currency text, reason text, metadata jsonb, notify_customer boolean,
      requested_by text, created_at timestamptz, request_key text, held_for text, batch_id text, batch_position int,
      inquiry_at timestamptz)),
  posted AS (${entryInsert("$4")}),
  audited AS (${auditInsert("$6")}),
  ${eventCtes("$5")}
  ${WAKE}`

async function write(sql: Sql, decided: readonly Change[]): Promise<void> {
  const changes = decided.filter(({ made }) => made.length > 0)
  if (changes.length === 0) {
    return
  }
  const rows = changes.flatMap(({ made }) =>
    made.map(({ refund }) => ({
      ...refund,
      inquiry_at: refund.state === "processing" ? nextInquiryAt(refund.created_at, 0) : null,
    }))
  )
  const postings = changes.flatMap(({ made, now }) => made.map(({ refund }) => refundReserved(refund, now)))
  const events = changes.flatMap(({ record, made, now }) => refundEvents(record, made, now))
  await sql.query(
    WRITE,
    [
      changes.map(({ record }) => record.transaction_id),
      changes.map(({ record }) => record.refunded_minor),
      JSON.stringify(rows),
      entryRows(postings),
      eventRows(events),
      auditRows(changes.flatMap(({ audited }) => audited)),
    ],
    "gateway_refund_reserve"
  )
  for (const { record, made } of changes) {
    await queueOrderSync(sql, record, made)
  }
}
