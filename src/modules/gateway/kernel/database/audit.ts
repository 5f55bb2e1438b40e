import type { Message } from "../../../../i18n/message"
import type { ActorType, AuditAction } from "./logged-actions"
import type { Sql } from "./database"
import type { Environment } from "../money/clock"
import { newOrderedId } from "../text/ids"

/**
 * Where a request came from. `address` is the client's, from the socket and TRUSTED_PROXIES. `request_id` is null when
 * the client sent one that is not safe to keep.
 */
export type Origin = { address: string; request_id: string | null }

/**
 * Who changes something: an admin, one of Medusa's secret keys, a merchant's API key, a customer in the portal, or the
 * gateway itself. `origin` is the request they did it by.
 */
export type Actor = { type: ActorType; id: string; origin?: Origin }

/**
 * Who calls a service: an admin route passes `actor`, `/api/v2` passes the key and its `origin`; all absent: the
 * gateway itself. `idempotency_id` is the record of the request's Idempotency-Key, when the request makes one change
 * that the same request, sent again, has to find (`doneBefore`).
 */
export type By = { actor?: Actor; key_id?: string; origin?: Origin; idempotency_id?: string }

type Values = Readonly<Record<string, unknown>>

export type AuditEntry = {
  merchant_id: string
  /** null: the change concerns the merchant as a whole. */
  environment: Environment | null
  by: By
  action: AuditAction
  resource_id: string
  /** The fields worth showing to a person. Absent: the thing did not exist before, or no longer exists. */
  before?: Values | null
  after?: Values | null
}

const HIDDEN = "(hidden)"
const SECRET = /secret|password|token|hash|(^|_)key$/

/**
 * Writes an audit entry in the transaction of the change (`sql`), so that neither exists without the other. Only the
 * fields that differ are kept; of a secret only the fact that it changed. An update that changed nothing leaves no
 * entry. Background work has no address and no request id. The database refuses to change an entry later.
 */
export async function audit(sql: Sql, entry: AuditEntry): Promise<void> {
  const row = rowOf(entry)
  if (row === null) {
    return
  }
  await sql.query(
    `INSERT INTO gateway_audit_entry
       (id, merchant_id, environment, actor_type, actor_id, action, resource_id, changes, address, request_id,
        idempotency_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      row.id,
      row.merchant_id,
      row.environment,
      row.actor_type,
      row.actor_id,
      row.action,
      row.resource_id,
      JSON.stringify(row.changes),
      row.address,
      row.request_id,
      entry.by.idempotency_id ?? null,
    ]
  )
}

/**
 * The id of what this request has changed already, when its process ended or lost the database before the answer was
 * stored; null: nothing (docs/decisions/02). `sql` holds the lock under which the change is made: another process
 * that still runs the same request has then either committed or not begun.
 */
export async function doneBefore(sql: Sql, { idempotency_id }: By): Promise<string | null> {
  if (idempotency_id === undefined) {
    return null
  }
  const [entry] = await sql.query<{ resource_id: string }>(
    "SELECT resource_id FROM gateway_audit_entry WHERE idempotency_id = $1",
    [idempotency_id]
  )
  return entry?.resource_id ?? null
}

/** The parameter that `auditInsert` reads. */
export function auditRows(entries: readonly AuditEntry[]): string {
  return JSON.stringify(entries.map(rowOf).filter((row) => row !== null))
}

/** `audit` as part of a larger statement, so that many changes and their entries cost one round trip. */
export const auditInsert = (parameter: string) => `
  INSERT INTO gateway_audit_entry
    (id, merchant_id, environment, actor_type, actor_id, action, resource_id, changes, address, request_id)
  SELECT id, merchant_id, environment, actor_type, actor_id, action, resource_id, changes, address, request_id
  FROM json_to_recordset(${parameter}::json) AS entry (id text, merchant_id text, environment text, actor_type text,
    actor_id text, action text, resource_id text, changes jsonb, address text, request_id text)`

function rowOf({ merchant_id, environment, by, action, resource_id, before = null, after = null }: AuditEntry) {
  const changes = changesBetween(before, after)
  if (before !== null && after !== null && Object.keys(changes).length === 0) {
    return null
  }
  const { type: actor_type, id: actor_id, origin } = actorOf(by)
  return {
    id: newOrderedId("gau"),
    merchant_id,
    environment,
    actor_type,
    actor_id,
    action,
    resource_id,
    changes,
    address: origin?.address ?? null,
    request_id: origin?.request_id ?? null,
  }
}

export function actorOf({ actor, key_id, origin }: By): Actor {
  if (actor !== undefined) {
    return actor
  }
  return key_id === undefined ? { type: "system", id: "gateway" } : { type: "merchant_key", id: key_id, origin }
}

/** Whether an admin, a key or a customer in the portal made the change, rather than the gateway or the store's account. */
export function isAttributed({ actor, key_id }: By): boolean {
  return actor !== undefined || key_id !== undefined
}

/** `{ field: { from, to } }` of the fields that differ as JSON. */
export function changesBetween(
  before: Values | null,
  after: Values | null
): Record<string, { from: unknown; to: unknown }> {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const changes: Record<string, { from: unknown; to: unknown }> = {}
  for (const name of names) {
    const from = plain(before?.[name])
    const to = plain(after?.[name])
    if (JSON.stringify(from) !== JSON.stringify(to)) {
      changes[name] = SECRET.test(name) ? { from: hidden(from), to: hidden(to) } : { from, to }
    }
  }
  return changes
}

function hidden(value: unknown): string | null {
  return value === null ? null : HIDDEN
}

/** The value as JSON can hold it: amounts as text, dates as ISO 8601, undefined as null. */
function plain(value: unknown): unknown {
  if (value === undefined || value === null) {
    return null
  }
  if (typeof value === "bigint") {
    return value.toString()
  }
  return value instanceof Date ? value.toISOString() : value
}

/** What happened to a row, and when by the clock that the row goes by: one entry of a `history` column. */
export type HistoryEntry = Message & { at: string }

/** One entry, as JSON to be appended to a `history` column. */
export function historyEntry(message: Message, at: Date = new Date()): string {
  return JSON.stringify([{ ...message, at }])
}
