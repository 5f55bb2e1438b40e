import { GatewayError } from "../kernel/errors"
import type { Sql } from "../kernel/database/database"
import type { Environment } from "../kernel/money/clock"
import { json } from "../kernel/database/database"
import type { Tenant } from "../kernel/types"
import type { StoredProfile } from "../merchants/profile-rules"
import type { CustomerDetails } from "../acquirers/order"
import type { TransactionState } from "../payments/states"
import { linkMachine, type LinkState } from "./states"

/**
 * A payment link; amounts in hundredths of the currency, times on the merchant's clock. `customer` null: whoever opens it
 * says who pays.
 */
export type LinkRow = Tenant & {
  id: string
  token: string
  state: LinkState
  /** Null: whoever pays says how much, within the limits. */
  amount_minor: number | null
  min_amount_minor: number | null
  max_amount_minor: number | null
  suggested_amounts: number[] | null
  /** Many may pay it, each with a checkout of their own. */
  reusable: boolean
  /** How many payments it takes; null: any number. */
  max_payments: number | null
  currency: string
  description: string
  customer: CustomerDetails | null
  customer_phone: string | null
  /** The Medusa order whose balance it asks for; null: none. `amount_minor` is then what was outstanding last. */
  store_order_id: string | null
  expires_at: Date | null
  disabled_at: Date | null
  created_by: string
  opened_at: Date
}

/**
 * With the payments that have paid it: their number and sum, refunded ones too. `transaction_id` and `paid_at` are of the
 * payment of a link that is paid once.
 */
export type PaymentLink = LinkRow & {
  paid_count: number
  paid_minor: string
  transaction_id: string | null
  paid_at: Date | null
}

/** With what its public page needs. */
export type LinkView = PaymentLink & {
  merchant_name: string
  profile: StoredProfile
  environment: Environment
  clock_offset_seconds: number
}

const ROW = `l.id, l.token, l.merchant_id, l.environment, l.state, l.amount_minor, l.min_amount_minor, l.max_amount_minor,
  l.suggested_amounts, l.reusable, l.max_payments, l.currency, l.description, l.customer, l.customer_phone, l.store_order_id, l.expires_at,
  l.disabled_at, l.created_by, l.opened_at`
export const LINK_COLUMNS = `${ROW}, paid.paid_count, paid.paid_minor, paid.transaction_id, paid.paid_at`
/** SQL: the payments `t` that have paid the link `l`. */
export const PAID_BY = "gateway_transaction t WHERE t.link_id = l.id AND t.state IN ('SUCCESS', 'REFUNDED')"
export const LINK_JOIN = joined("true")
/** Where it matters only whether the link is paid: payments of a link that takes any number are not counted. */
const STATUS_JOIN = joined("l.max_payments IS NOT NULL")

function joined(counted: string): string {
  return `CROSS JOIN LATERAL (
    SELECT count(*)::int AS paid_count, COALESCE(sum(t.amount_minor), 0)::text AS paid_minor,
      CASE WHEN NOT l.reusable THEN min(t.id) END AS transaction_id,
      CASE WHEN NOT l.reusable THEN min(t.verified_at) END AS paid_at
    FROM ${PAID_BY} AND ${counted}) paid`
}

/** Throws LINK_NOT_FOUND, for another tenant's too. */
export async function findLink(
  sql: Sql,
  tenant: Tenant,
  id: string,
  lock: "" | "FOR UPDATE OF l" = ""
): Promise<PaymentLink> {
  const [row] = await sql.query<PaymentLink>(
    `SELECT ${LINK_COLUMNS} FROM gateway_payment_link l ${lock === "" ? LINK_JOIN : STATUS_JOIN}
     WHERE l.id = $1 AND l.merchant_id = $2 AND l.environment = $3 ${lock}`,
    [id, tenant.merchant_id, tenant.environment]
  )
  if (row === undefined) {
    throw new GatewayError("LINK_NOT_FOUND")
  }
  return row
}

/** By the token in its public address; throws LINK_NOT_FOUND. */
export async function findByToken(sql: Sql, token: string): Promise<LinkView> {
  const [row] = await sql.query<LinkView>(
    `SELECT ${LINK_COLUMNS}, m.name AS merchant_name, m.profile, e.clock_offset_seconds
     FROM gateway_payment_link l ${STATUS_JOIN}
     JOIN gateway_merchant m ON m.id = l.merchant_id
     JOIN gateway_merchant_environment e ON e.merchant_id = l.merchant_id AND e.environment = l.environment
     WHERE l.token = $1`,
    [token]
  )
  if (row === undefined) {
    throw new GatewayError("LINK_NOT_FOUND")
  }
  return row
}

/** A link's payment that has not ended yet. */
export type LinkPayment = {
  session_id: string
  state: TransactionState
  amount_minor: number
  expires_at: Date
  customer: CustomerDetails
}

/** The checkouts of disabled links, or of one, that could still be paid. */
export async function openOfDisabled(sql: Sql, link_id: string | null): Promise<Pick<LinkPayment, "session_id">[]> {
  return sql.query<Pick<LinkPayment, "session_id">>(
    `SELECT t.session_id FROM gateway_transaction t JOIN gateway_payment_link l ON l.id = t.link_id
     WHERE t.state = 'OPEN' AND t.link_id IS NOT NULL AND l.state = 'disabled' AND ($1::text IS NULL OR l.id = $1)
     ORDER BY t.id`,
    [link_id]
  )
}

/** Oldest first. */
export async function unfinishedPayments(sql: Sql, link_id: string): Promise<LinkPayment[]> {
  return sql.query<LinkPayment>(
    `SELECT t.session_id, t.state, t.amount_minor, t.expires_at, s.customer
     FROM gateway_transaction t JOIN gateway_checkout_session s ON s.id = t.session_id
     WHERE t.link_id = $1 AND t.state IN ('OPEN', 'PROCESSING', 'HELD') ORDER BY t.id`,
    [link_id]
  )
}

/** `attempt_id`: the attempt that has paid, or may; null: none was made yet. */
type LivePayment = { state: TransactionState; amount_minor: number; attempt_id: string | null }

/** A payment of the link that has not ended without money; null: it has none of this id. */
export async function livePayment(sql: Sql, link_id: string, transaction_id: string): Promise<LivePayment | null> {
  const [row] = await sql.query<LivePayment>(
    `SELECT state, amount_minor, attempt_id FROM gateway_transaction
     WHERE id = $1 AND link_id = $2 AND state NOT IN ('FAILED', 'CANCELLED', 'EXPIRED')`,
    [transaction_id, link_id]
  )
  return row ?? null
}

/**
 * The lowest place that no payment has which is open or has taken money; null: all are taken. `sql` holds the link's lock.
 */
export async function freePlace(sql: Sql, link_id: string, max_payments: number): Promise<number | null> {
  const [row] = await sql.query<{ place: number }>(
    `SELECT place FROM generate_series(1, $2::int) AS place
     WHERE NOT EXISTS (SELECT 1 FROM gateway_transaction t
       WHERE t.link_id = $1 AND t.link_place = place AND t.state NOT IN ('FAILED', 'CANCELLED', 'EXPIRED'))
     ORDER BY place LIMIT 1`,
    [link_id, max_payments]
  )
  return row?.place ?? null
}

/** Answers the id of the link that exists: another one when the same idempotency record has made it before. */
export async function insertLink(
  sql: Sql,
  link: Omit<LinkRow, "state" | "disabled_at" | "store_order_id">,
  idempotency_id: string | null
): Promise<string> {
  const [{ id }] = await sql.query<{ id: string }>(
    `INSERT INTO gateway_payment_link (id, token, merchant_id, environment, amount_minor, currency, description, customer,
       customer_phone, expires_at, created_by, opened_at, idempotency_id, min_amount_minor, max_amount_minor,
       suggested_amounts, reusable, max_payments)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
     ON CONFLICT (idempotency_id) WHERE idempotency_id IS NOT NULL DO UPDATE SET updated_at = now()
     RETURNING id`,
    [
      link.id,
      link.token,
      link.merchant_id,
      link.environment,
      link.amount_minor,
      link.currency,
      link.description,
      json(link.customer),
      link.customer_phone,
      link.expires_at,
      link.created_by,
      link.opened_at,
      idempotency_id,
      link.min_amount_minor,
      link.max_amount_minor,
      json(link.suggested_amounts),
      link.reusable,
      link.max_payments,
    ]
  )
  return id
}

/** Errors: INVALID_STATE_TRANSITION when it is disabled already. */
export async function disableLink(sql: Sql, link: LinkRow, at: Date): Promise<void> {
  const { from, to } = linkMachine.require(link.state, "disable")
  await sql.query(
    "UPDATE gateway_payment_link SET state = $2, disabled_at = $3, updated_at = now() WHERE id = $1 AND state = $4",
    [link.id, to, at, from]
  )
}
