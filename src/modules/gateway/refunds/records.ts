import type { AmountMismatch } from "../acquirers/amount-mismatch"
import type { References } from "../acquirers/port"
import { GatewayError } from "../kernel/errors"
import { formatAmount, type Minor } from "../kernel/money/money"
import type { ApprovalLimits, RefundHold, RefundType } from "./rules"
import type { RefundState } from "./states"
import type { AuditEntry, By } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import { noteForOrders } from "./orders/records"
import { emit, type OutgoingEvent } from "../kernel/database/outbox"
import type { PaymentRecord } from "../payments/records"
import type { RoleLimit, Tenant } from "../kernel/types"

/** Amounts in hundredths of the payment's currency; times on the merchant's clock. */
export type Refund = Tenant & {
  id: string
  transaction_id: string
  state: RefundState
  type: RefundType
  amount_minor: number
  currency: string
  reason: string
  metadata: Record<string, unknown> | null
  notify_customer: boolean
  requested_by: string
  request_key: string | null
  held_for: RefundHold | null
  reviewed_by: string | null
  review_note: string | null
  batch_id: string | null
  batch_position: number | null
  lock_token: string | null
  acquirer_reference: string | null
  /** The acquirer's own ids of the refund. */
  acquirer_ids: References
  /** The amount that the acquirer reports to have refunded when it differs; the refund then stays open. */
  amount_mismatch: AmountMismatch | null
  error_code: string | null
  error_message: string | null
  /** Since when only the acquirer's own dashboard shows what became of it; null: the acquirer reports it. */
  operator_since: Date | null
  created_at: Date
  completed_at: Date | null
  /** When an admin has dealt with it, who, and how; it has failed. Real time. */
  dealt_with_at: Date | null
  dealt_with_by: string | null
  dealt_with_note: string | null
}

export const REFUND_COLUMNS = `
  r.id, r.merchant_id, r.environment, r.transaction_id, r.state, r.type, r.amount_minor, r.currency, r.reason, r.metadata,
  r.notify_customer, r.requested_by, r.request_key, r.held_for, r.reviewed_by, r.review_note, r.batch_id, r.batch_position,
  r.lock_token, r.acquirer_reference, r.acquirer_ids, r.amount_mismatch, r.error_code, r.error_message, r.operator_since, r.requested_at AS created_at, r.completed_at,
  r.dealt_with_at, r.dealt_with_by, r.dealt_with_note`

export type RefundRequest = {
  transaction_id: string
  /** Only a transaction of this tenant; absent: any tenant's. */
  tenant?: Tenant
  /** In hundredths of the payment's currency; absent: the whole remainder. */
  amount?: Minor
  type?: RefundType
  /** An `OwnReason`, or what somebody said. */
  reason: string
  /** The requester: `store`, `reconciler`, an admin's id, a key's id. */
  requested_by: string
  /** The requester for the audit log; absent: the gateway itself. */
  by?: By
  /** A repeated key returns the transaction's existing refund; null: each request is a new refund. */
  request_key: string | null
  notify_customer?: boolean
  metadata?: Record<string, unknown> | null
  /** Above one of the merchant's limits an admin has to approve. Not for what the gateway or Medusa itself gives back. */
  subject_to_approval?: boolean
  /**
   * The roles of the admin who requests it, of their token. Above their limit it waits for approval or, where it is not
   * subject to that, is refused.
   */
  roles?: readonly string[]
  /** Ignores the merchant's balance: the payment led to no order and must go back. */
  may_overdraw?: boolean
  batch?: { id: string; position: number }
}

/**
 * What a refund needs to know of a transaction. It is read for every refund, so it has fewer columns than a
 * PaymentRecord.
 */
export type RefundableRecord = Pick<
  PaymentRecord,
  | "transaction_id"
  | "session_id"
  | "merchant_id"
  | "environment"
  | "order_id"
  | "state"
  | "currency"
  | "amount_minor"
  | "refunded_minor"
  | "payment_service"
  | "acquirer"
  | "acquirer_reference"
  | "verified_at"
  | "clock_offset_seconds"
  | "time_zone"
> &
  ApprovalLimits & {
    /** The sum of disputes that are open or lost. */
    disputed_minor: number
    /** Of the attempt that paid; null for a payment without one. */
    attempt_id: string | null
    payment_ids: References | null
    supports_refunds: boolean
    refund_role_limits: RoleLimit[] | null
    approval_by_another: boolean
    may_overdraw: boolean
    /** Whether the customer gets a receipt by e-mail; not for what a new payment method was checked with. */
    sends_receipts: boolean
    /** Paid for a Medusa cart: its refunds must be synced to the order. */
    of_cart: boolean
  }

const LOCK = `
  SELECT t.id AS transaction_id, t.session_id, t.merchant_id, t.environment, t.order_id, t.state, t.currency, t.amount_minor,
         t.refunded_minor, t.disputed_minor, t.payment_service, t.acquirer, t.acquirer_reference, t.verified_at, t.attempt_id, a.acquirer_ids AS payment_ids,
         e.clock_offset_seconds, e.time_zone, e.refund_approval_threshold_minor, e.refund_daily_limit_minor, e.refund_daily_key_limit_minor, e.refund_role_limits, e.approval_by_another, e.may_overdraw,
         e.receipts AND (SELECT s.source <> 'verification' FROM gateway_checkout_session s WHERE s.id = t.session_id) AS sends_receipts,
         COALESCE(p.supports_refunds, true) AS supports_refunds,
         EXISTS (SELECT 1 FROM gateway_cart_completion c WHERE c.transaction_id = t.id) AS of_cart
  FROM gateway_transaction t
  JOIN gateway_merchant_environment e ON e.merchant_id = t.merchant_id AND e.environment = t.environment
  LEFT JOIN gateway_payment_attempt a ON a.id = t.attempt_id
  LEFT JOIN gateway_payment_service p
    ON p.merchant_id = t.merchant_id AND p.environment = t.environment AND p.code = t.payment_service
  WHERE t.id = $1`

/**
 * Reads the transaction and locks it until the transaction of `sql` ends. Every change of its refunds holds this lock.
 * Another tenant's transaction gets the answer of an id that does not exist, and is neither locked nor waited for; without a tenant,
 * anyone's is meant.
 */
export async function lockTransaction(
  sql: Sql,
  transaction_id: string,
  tenant?: Tenant
): Promise<RefundableRecord | null> {
  const [record] = await sql.query<RefundableRecord>(
    `${LOCK} AND ($2::text IS NULL OR t.merchant_id = $2 AND t.environment = $3) FOR UPDATE OF t`,
    [transaction_id, tenant?.merchant_id ?? null, tenant?.environment ?? null],
    "gateway_refund_lock"
  )
  return record ?? null
}

/** Reads any tenant's transaction without a lock, so it may have changed by the time it is used; null: unknown id. */
export async function readTransaction(sql: Sql, transaction_id: string): Promise<RefundableRecord | null> {
  const [record] = await sql.query<RefundableRecord>(LOCK, [transaction_id])
  return record ?? null
}

/** A refund with its transaction, both under the transaction's lock. */
export type Held = { refund: Refund; record: RefundableRecord }

/** Throws REFUND_NOT_FOUND, for another tenant's too. */
export async function findRefund(sql: Sql, id: string, tenant?: Tenant): Promise<Refund> {
  const [refund] = await sql.query<Refund>(
    `SELECT ${REFUND_COLUMNS} FROM gateway_refund r
     WHERE r.id = $1 AND ($2::text IS NULL OR r.merchant_id = $2 AND r.environment = $3)`,
    [id, tenant?.merchant_id ?? null, tenant?.environment ?? null]
  )
  if (refund === undefined) {
    throw new GatewayError("REFUND_NOT_FOUND")
  }
  return refund
}

/** Locks the refund's transaction, then reads the refund again. Throws REFUND_NOT_FOUND. */
export async function holdRefund(sql: Sql, id: string, tenant?: Tenant): Promise<Held> {
  const { transaction_id } = await findRefund(sql, id, tenant)
  const record = await lockTransaction(sql, transaction_id)
  if (record === null) {
    throw new GatewayError("REFUND_NOT_FOUND")
  }
  return { refund: await findRefund(sql, id, tenant), record }
}

/** SQL: the id of the request that asked for the refund with this id, from its first audit entry. */
export const requestOf = (id: string) =>
  `(SELECT a.request_id FROM gateway_audit_entry a WHERE a.resource_id = ${id} ORDER BY a.number LIMIT 1)`

/** One change of one refund; `remaining_minor` is the transaction's remainder after it. */
export type RefundChange = {
  refund: Refund
  emits: readonly string[]
  remaining_minor: number
  ipn?: OutgoingEvent["ipn"]
}

/** Writes the events of changes and, for a cart's payment, queues the sync to its order. */
export async function emitRefundEvents(
  sql: Sql,
  record: RefundableRecord,
  changes: readonly RefundChange[],
  occurred_at: Date
): Promise<void> {
  await emit(sql, refundEvents(record, changes, occurred_at))
  await queueOrderSync(sql, record, changes)
}

/** For changes whose events are already written: queues the sync to the order of a cart's payment. */
export async function queueOrderSync(
  sql: Sql,
  record: RefundableRecord,
  changes: readonly RefundChange[]
): Promise<void> {
  if (record.of_cart) {
    await noteForOrders(
      sql,
      changes.map(({ refund }) => refund.id)
    )
  }
}

/** Builds the events of changes, in their order (contract 6.2). */
export function refundEvents(
  record: RefundableRecord,
  changes: readonly RefundChange[],
  occurred_at: Date
): OutgoingEvent[] {
  const { merchant_id, environment } = record
  return changes.flatMap(({ refund, emits, remaining_minor, ipn = null }) =>
    emits.map((event_type) => ({
      merchant_id,
      environment,
      event_type,
      resource_id: refund.id,
      data: {
        refund_id: refund.id,
        transaction_id: refund.transaction_id,
        refund_amount: formatAmount(refund.amount_minor),
        refund_status: refund.state,
        original_amount: formatAmount(record.amount_minor),
        remaining_amount: formatAmount(remaining_minor),
      },
      occurred_at,
      ipn,
    }))
  )
}

/** What the audit log says about a refund that is requested. */
export function requestedEntry(refund: Refund, by: By): AuditEntry {
  const { transaction_id, state, type, amount_minor, currency, reason, requested_by, held_for } = refund
  const after = {
    state,
    transaction_id,
    type,
    amount: formatAmount(amount_minor),
    currency,
    reason,
    requested_by,
    held_for,
  }
  return { ...auditedRefund(refund), by, action: "refund.requested", after }
}

/** What the audit log says about a refund whose outcome is known: `refund.completed` or `refund.failed`. */
export function settledEntry(before: Pick<Refund, "state">, refund: Refund, by: By): AuditEntry {
  const { state, amount_minor, currency, acquirer_reference, error_code, error_message } = refund
  const amount = { amount: formatAmount(amount_minor), currency }
  const after = { state, ...amount, acquirer_reference, error_code, error_message }
  return {
    ...auditedRefund(refund),
    by,
    action: state === "completed" ? "refund.completed" : "refund.failed",
    before: { state: before.state },
    after,
  }
}

function auditedRefund({ id: resource_id, merchant_id, environment }: Refund) {
  return { merchant_id, environment, resource_id }
}
