import { GatewayError } from "../kernel/errors"
import type { Sql } from "../kernel/database/database"
import type { Environment } from "../kernel/money/clock"
import { json } from "../kernel/database/database"
import type { Tenant } from "../kernel/types"
import type { StoredProfile } from "../merchants/profile-rules"
import type { CustomerDetails } from "../acquirers/order"
import type { TransactionState } from "../payments/states"
import { linkMachine, type LinkState } from "./states"

/** A payment link; amount in hundredths of the currency, times on the merchant's clock. `customer` null: whoever opens it says who pays. */
export type LinkRow = Tenant & {
  id: string
  token: string
  state: LinkState
  amount_minor: number
  currency: string
  description: string
  customer: CustomerDetails | null
  customer_phone: string | null
  expires_at: Date | null
  disabled_at: Date | null
  created_by: string
  opened_at: Date
}

/** With the payment that has paid it. */
export type PaymentLink = LinkRow & { transaction_id: string | null; paid_at: Date | null }

/** With what its public page needs. */
export type LinkView = PaymentLink & {
  merchant_name: string
  profile: StoredProfile
  environment: Environment
  clock_offset_seconds: number
}

const ROW = `l.id, l.token, l.merchant_id, l.environment, l.state, l.amount_minor, l.currency, l.description, l.customer,
  l.customer_phone, l.expires_at, l.disabled_at, l.created_by, l.opened_at`
export const LINK_COLUMNS = `${ROW}, t.id AS transaction_id, t.verified_at AS paid_at`
/** At most one: a unique index of gateway_transaction allows a link one payment that is open or has taken money. */
export const LINK_JOIN = `LEFT JOIN gateway_transaction t ON t.link_id = l.id AND t.state IN ('SUCCESS', 'REFUNDED')`

/** Throws LINK_NOT_FOUND, for another tenant's too. */
export async function findLink(
  sql: Sql,
  tenant: Tenant,
  id: string,
  lock: "" | "FOR UPDATE OF l" = ""
): Promise<PaymentLink> {
  const [row] = await sql.query<PaymentLink>(
    `SELECT ${LINK_COLUMNS} FROM gateway_payment_link l ${LINK_JOIN}
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
     FROM gateway_payment_link l ${LINK_JOIN}
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

/** A link's payment that is open or has succeeded. A unique index allows one of them. */
type LinkPayment = {
  session_id: string
  state: TransactionState
  expires_at: Date
  customer: CustomerDetails
}

export async function livePayment(sql: Sql, link_id: string): Promise<LinkPayment | null> {
  const [row] = await sql.query<LinkPayment>(
    `SELECT t.session_id, t.state, t.expires_at, s.customer
     FROM gateway_transaction t JOIN gateway_checkout_session s ON s.id = t.session_id
     WHERE t.link_id = $1 AND t.state NOT IN ('FAILED', 'CANCELLED', 'EXPIRED')`,
    [link_id]
  )
  return row ?? null
}

/** Answers the id of the link that exists: another one when the same idempotency record has made it before. */
export async function insertLink(
  sql: Sql,
  link: Omit<LinkRow, "state" | "disabled_at">,
  idempotency_id: string | null
): Promise<string> {
  const [{ id }] = await sql.query<{ id: string }>(
    `INSERT INTO gateway_payment_link (id, token, merchant_id, environment, amount_minor, currency, description, customer,
       customer_phone, expires_at, created_by, opened_at, idempotency_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
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
