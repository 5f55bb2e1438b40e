import type { Sql } from "../kernel/database/database"
import type { Language } from "../../../i18n/languages"
import { LIMITS } from "../kernel/limits"
import type { Tenant } from "../kernel/types"
import type { StoredProfile } from "../merchants/profile-rules"

/** Whose portal it is: exactly one of a customer whom the merchant bills, and a customer of the store. */
export type PortalOwner = Tenant & { customer_id: string | null; store_customer_id: string | null }

/** A session as its page needs it. Times are real. */
export type PortalSession = PortalOwner & {
  id: string
  return_url: string | null
  expires_at: Date
  ended_at: Date | null
  merchant_name: string
  merchant_profile: StoredProfile
  /** These two are set for a customer whom the merchant bills, and null for a customer of the store. */
  customer_uuid: string | null
  customer_email: string | null
  clock_offset_seconds: number
  time_zone: string
}

/** `is_over`: it has ended, by time or by the customer. */
export type FoundSession = PortalSession & { is_over: boolean }

type NewPortalSession = PortalOwner & {
  id: string
  token_hash: string
  return_url: string | null
  idempotency_id: string | null
}

const COLUMNS = `
  p.id, p.merchant_id, p.environment, p.customer_id, p.store_customer_id, p.return_url, p.expires_at, p.ended_at,
  m.name AS merchant_name, m.profile AS merchant_profile, c.uuid AS customer_uuid, c.email AS customer_email, e.clock_offset_seconds,
  e.time_zone`

const TABLES = `
  gateway_portal_session p
  JOIN gateway_merchant m ON m.id = p.merchant_id
  JOIN gateway_merchant_environment e ON e.merchant_id = p.merchant_id AND e.environment = p.environment
  LEFT JOIN gateway_customer c ON c.id = p.customer_id`

/**
 * Makes a session whose link ends when it is not used. A repeated request with the same idempotency record gets its
 * session with a new link, because the first link was never stored and its answer was lost.
 */
export async function insertSession(
  sql: Sql,
  session: NewPortalSession
): Promise<{ id: string; expires_at: Date; is_new: boolean }> {
  const { id, token_hash, merchant_id, environment, customer_id, store_customer_id } = session
  const [row] = await sql.query<{ id: string; expires_at: Date }>(
    `INSERT INTO gateway_portal_session
       (id, token_hash, merchant_id, environment, customer_id, store_customer_id, return_url, idempotency_id, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 second')
     ON CONFLICT (idempotency_id) WHERE idempotency_id IS NOT NULL
       DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at, updated_at = now()
     RETURNING id, expires_at`,
    [
      id,
      token_hash,
      merchant_id,
      environment,
      customer_id,
      store_customer_id,
      session.return_url,
      session.idempotency_id,
      LIMITS.portalIdleSeconds,
    ]
  )
  return { ...row, is_new: row.id === id }
}

/** The session behind a link, with its time prolonged by this use, up to its longest life; null: no such link. */
export async function touchSession(sql: Sql, token_hash: string): Promise<FoundSession | null> {
  await sql.query(
    `UPDATE gateway_portal_session SET updated_at = now(),
       expires_at = LEAST(now() + $2 * interval '1 second', created_at + $3 * interval '1 second')
     WHERE token_hash = $1 AND ended_at IS NULL AND expires_at > now()`,
    [token_hash, LIMITS.portalIdleSeconds, LIMITS.portalLifeSeconds]
  )
  const [row] = await sql.query<FoundSession>(
    `SELECT ${COLUMNS}, p.ended_at IS NOT NULL OR p.expires_at <= now() AS is_over FROM ${TABLES} WHERE p.token_hash = $1`,
    [token_hash]
  )
  return row ?? null
}

/** The customer leaves. Nothing changes when the session is over already. */
export async function endSession(sql: Sql, id: string): Promise<void> {
  await sql.query(
    "UPDATE gateway_portal_session SET ended_at = now(), updated_at = now() WHERE id = $1 AND ended_at IS NULL",
    [id]
  )
}

/** A link that is to be sent. `tries`: this one included; only the latest claim has the row's number. */
export type DueLink = Tenant & {
  id: string
  tries: number
  language: Language | null
  customer_id: string
  customer_name: string
  customer_email: string
  merchant_name: string
  profile: StoredProfile
}

/**
 * Writes down that a link is asked for at this address, ignoring case. Whether the merchant knows it is looked up when
 * the e-mail is due: here, the time that it takes would show it.
 */
export async function planLink(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  request: { id: string; email: string; language: Language }
): Promise<void> {
  await sql.query(
    `INSERT INTO gateway_portal_session (id, merchant_id, environment, mail_to, language, mail_due_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, now(), now() + $6 * interval '1 second')`,
    [request.id, merchant_id, environment, request.email.toLowerCase(), request.language, LIMITS.portalIdleSeconds]
  )
}

/** The customer of a session, or of the address at which a link was asked for. */
const CUSTOMER = `c.id = COALESCE(p.customer_id, (
  SELECT id FROM gateway_customer
  WHERE merchant_id = p.merchant_id AND environment = p.environment AND email_key = p.mail_to))`

/**
 * Claims up to `limit` links whose e-mail is due, by real time. For `leaseSeconds` no other process claims them. A
 * claim counts as a try. Requests for addresses that are no customer's are deleted first, all of them: they must not
 * take the places of others.
 */
export async function claimLinks(sql: Sql, limit: number, leaseSeconds: number): Promise<DueLink[]> {
  await sql.query(
    `DELETE FROM gateway_portal_session p
     WHERE p.mail_due_at <= now() AND p.mail_to IS NOT NULL AND NOT EXISTS (SELECT 1 FROM gateway_customer c WHERE ${CUSTOMER})`
  )
  return sql.query<DueLink>(
    `WITH due AS (
       SELECT id FROM gateway_portal_session WHERE mail_due_at <= now()
       ORDER BY mail_due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     UPDATE gateway_portal_session p
     SET customer_id = c.id, mail_to = NULL, mail_attempts = p.mail_attempts + 1, mail_due_at = now() + $2 * interval '1 second', updated_at = now()
     FROM due, gateway_customer c, gateway_merchant m
     WHERE p.id = due.id AND ${CUSTOMER} AND m.id = p.merchant_id
     RETURNING p.id, p.merchant_id, p.environment, p.mail_attempts AS tries, p.language, c.id AS customer_id,
       c.name AS customer_name, c.email AS customer_email, m.name AS merchant_name, m.profile`,
    [limit, leaseSeconds]
  )
}

/** The link of this try, whose time begins now; false: another claim has taken the e-mail over. */
export async function giveLink(sql: Sql, { id, tries }: DueLink, token_hash: string): Promise<boolean> {
  const given = await sql.query(
    `UPDATE gateway_portal_session SET token_hash = $3, expires_at = now() + $4 * interval '1 second', updated_at = now()
     WHERE id = $1 AND mail_attempts = $2 AND mail_due_at IS NOT NULL RETURNING id`,
    [id, tries, token_hash, LIMITS.portalIdleSeconds]
  )
  return given.length === 1
}

/** `seconds`: until the next try; null: the e-mail was sent, or is given up. */
export async function moveLink(sql: Sql, { id, tries }: DueLink, seconds: number | null): Promise<void> {
  await sql.query(
    `UPDATE gateway_portal_session SET mail_due_at = now() + $3 * interval '1 second', updated_at = now()
     WHERE id = $1 AND mail_attempts = $2 AND mail_due_at IS NOT NULL`,
    [id, tries, seconds]
  )
}

/** Deletes sessions that ended `LIMITS.portalKeptDays` ago. Returns the number of them. */
export async function purgeSessions(sql: Sql): Promise<number> {
  const gone = await sql.query(
    `DELETE FROM gateway_portal_session
     WHERE expires_at < now() - $1 * interval '1 day' AND mail_due_at IS NULL RETURNING id`,
    [LIMITS.portalKeptDays]
  )
  return gone.length
}
