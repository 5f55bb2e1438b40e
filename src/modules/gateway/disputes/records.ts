import { actorOf, type By } from "../kernel/database/audit"
import { clockNow } from "../kernel/money/clock"
import type { Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { newOrderedId } from "../kernel/text/ids"
import type { Tenant } from "../kernel/types"
import type { DisputableFacts, DisputeReason, DisputeSource } from "./rules"
import type { DisputeState } from "./states"

/** Amounts in hundredths of the currency; times on the merchant's clock. */
export type Dispute = Tenant & {
  id: string
  transaction_id: string
  state: DisputeState
  source: DisputeSource
  acquirer: string
  acquirer_reference: string
  reason: DisputeReason
  amount_minor: number
  fee_minor: number
  fee_returned: boolean
  currency: string
  note: string | null
  evidence_text: string | null
  recorded_by: string
  opened_at: Date
  recorded_at: Date
  due_by: Date | null
  submitted_at: Date | null
  accepted_at: Date | null
  missed_at: Date | null
  reminded_at: Date | null
  closed_at: Date | null
  reinstated_at: Date | null
}

/** What every dispute begins with. */
export const NEW_DISPUTE = {
  state: "inquiry",
  fee_minor: 0,
  fee_returned: false,
  evidence_text: null,
  submitted_at: null,
  accepted_at: null,
  missed_at: null,
  reminded_at: null,
  closed_at: null,
  reinstated_at: null,
} as const satisfies Partial<Dispute>

/** What its source knows of a new dispute. */
type KnownFacts = Pick<
  Dispute,
  "source" | "acquirer" | "acquirer_reference" | "reason" | "amount_minor" | "note" | "opened_at" | "due_by"
>

/** A dispute of a payment as it is recorded: an inquiry, whatever it becomes in the same transaction. */
export function newDispute(
  { merchant_id, environment, transaction_id, currency }: DisputedPayment,
  facts: KnownFacts,
  now: Date,
  by: By
): Dispute {
  const own = { id: newOrderedId("dsp"), merchant_id, environment, transaction_id, currency }
  return { ...NEW_DISPUTE, ...own, ...facts, recorded_by: actorOf(by).id, recorded_at: now }
}

export const DISPUTE_COLUMNS = `
  d.id, d.merchant_id, d.environment, d.transaction_id, d.state, d.source, d.acquirer, d.acquirer_reference, d.reason, d.amount_minor,
  d.fee_minor, d.fee_returned, d.currency, d.note, d.evidence_text, d.recorded_by, d.opened_at, d.recorded_at, d.due_by,
  d.submitted_at, d.accepted_at, d.missed_at, d.reminded_at, d.closed_at, d.reinstated_at`

/** A payment as its disputes see it, under its lock. */
export type DisputedPayment = Tenant &
  DisputableFacts & {
    transaction_id: string
    order_id: string
    acquirer: string | null
    clock_offset_seconds: number
  }

const PAYMENT = `
  SELECT t.id AS transaction_id, t.order_id, t.merchant_id, t.environment, t.state, t.currency, t.amount_minor, t.refunded_minor,
         t.disputed_minor, t.acquirer, e.clock_offset_seconds
  FROM gateway_transaction t
  JOIN gateway_merchant_environment e ON e.merchant_id = t.merchant_id AND e.environment = t.environment`

/** Reads a payment. Errors: TRANSACTION_NOT_FOUND, for another tenant's too. */
export async function readPayment(sql: Sql, tenant: Tenant, transaction_id: string): Promise<DisputedPayment> {
  return found(
    await sql.query<DisputedPayment>(`${PAYMENT} WHERE t.id = $1 AND t.merchant_id = $2 AND t.environment = $3`, [
      transaction_id,
      tenant.merchant_id,
      tenant.environment,
    ])
  )
}

/**
 * Locks a payment until the transaction of `sql` ends. Every change of its disputes and of its refunds holds this lock.
 * Errors: TRANSACTION_NOT_FOUND.
 */
export async function lockPayment(sql: Sql, transaction_id: string): Promise<DisputedPayment> {
  return found(await sql.query<DisputedPayment>(`${PAYMENT} WHERE t.id = $1 FOR UPDATE OF t`, [transaction_id]))
}

function found(rows: DisputedPayment[]): DisputedPayment {
  if (rows.length === 0) {
    throw new GatewayError("TRANSACTION_NOT_FOUND")
  }
  return rows[0]
}

/** The payment that an acquirer knows by a reference of its own; `owner` null: anybody's. */
export async function paymentOf(
  sql: Sql,
  acquirer: string,
  owner: Tenant | null,
  acquirer_reference: string
): Promise<string | null> {
  const [row] = await sql.query<{ id: string }>(
    `SELECT id FROM gateway_transaction WHERE acquirer = $1 AND acquirer_reference = $2
       AND ($3::text IS NULL OR merchant_id = $3 AND environment = $4)`,
    [acquirer, acquirer_reference, owner?.merchant_id ?? null, owner?.environment ?? null]
  )
  return row?.id ?? null
}

/** Throws DISPUTE_NOT_FOUND, for another tenant's too. */
export async function findDispute(sql: Sql, id: string, tenant?: Tenant): Promise<Dispute> {
  const [row] = await sql.query<Dispute>(
    `SELECT ${DISPUTE_COLUMNS} FROM gateway_dispute d
     WHERE d.id = $1 AND ($2::text IS NULL OR d.merchant_id = $2 AND d.environment = $3)`,
    [id, tenant?.merchant_id ?? null, tenant?.environment ?? null]
  )
  if (row === undefined) {
    throw new GatewayError("DISPUTE_NOT_FOUND")
  }
  return row
}

/** The dispute that an acquirer knows by its number; null: it is not recorded yet. */
export async function disputeOf(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  acquirer: string,
  acquirer_reference: string
): Promise<Dispute | null> {
  const [row] = await sql.query<Dispute>(
    `SELECT ${DISPUTE_COLUMNS} FROM gateway_dispute d
     WHERE d.merchant_id = $1 AND d.environment = $2 AND d.acquirer = $3 AND d.acquirer_reference = $4`,
    [merchant_id, environment, acquirer, acquirer_reference]
  )
  return row ?? null
}

/** A dispute with its payment, both under the payment's lock. */
export type Held = { dispute: Dispute; payment: DisputedPayment; now: Date }

/** Locks the dispute's payment, then reads the dispute again. Throws DISPUTE_NOT_FOUND. */
export async function holdDispute(sql: Sql, id: string, tenant?: Tenant): Promise<Held> {
  const { transaction_id } = await findDispute(sql, id, tenant)
  const payment = await lockPayment(sql, transaction_id)
  return { dispute: await findDispute(sql, id, tenant), payment, now: nowOf(payment) }
}

/** The merchant's clock. */
export function nowOf({ clock_offset_seconds }: DisputedPayment): Date {
  return clockNow(new Date(), clock_offset_seconds)
}

/** Throws DUPLICATE_DISPUTE when the acquirer's reference is recorded already. */
export async function insertDispute(sql: Sql, dispute: Dispute): Promise<void> {
  const rows = await sql.query(
    `INSERT INTO gateway_dispute
       (id, merchant_id, environment, transaction_id, state, source, acquirer, acquirer_reference, reason, amount_minor, currency,
        note, recorded_by, opened_at, recorded_at, due_by, inquiry_at)
     VALUES ($1, $2, $3, $4, 'inquiry', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
             CASE WHEN $5 = 'acquirer' THEN now() + interval '1 day' END)
     ON CONFLICT (merchant_id, environment, acquirer, acquirer_reference) DO NOTHING RETURNING id`,
    [
      dispute.id,
      dispute.merchant_id,
      dispute.environment,
      dispute.transaction_id,
      dispute.source,
      dispute.acquirer,
      dispute.acquirer_reference,
      dispute.reason,
      dispute.amount_minor,
      dispute.currency,
      dispute.note,
      dispute.recorded_by,
      dispute.opened_at,
      dispute.recorded_at,
      dispute.due_by,
    ]
  )
  if (rows.length === 0) {
    throw new GatewayError("DUPLICATE_DISPUTE", undefined, { field: "reference" })
  }
}
