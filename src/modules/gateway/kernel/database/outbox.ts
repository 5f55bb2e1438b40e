import { createHash } from "node:crypto"
import type { Sql } from "./database"
import { newOrderedId, newOrderedUuid } from "../text/ids"
import { currentTraceparent } from "../http/tracing"
import type { Tenant } from "../types"

/** For the IPNs of a merchant's environment. A power of two, so that a byte of a hash is spread evenly. */
export const IPN_RECEIVERS = 32

export type OutgoingEvent = Tenant & {
  event_type: string
  /** The id of the event's subject: a transaction, a refund, a subscription. */
  resource_id: string
  data: Record<string, unknown>
  occurred_at: Date
  /** The order's own notification, sent in addition to the webhooks (decisions: Callback, IPN and webhook URLs). */
  ipn?: { url: string; body: Record<string, unknown> } | null
}

/**
 * Writes events and a delivery for each of their receivers, in the transaction of the change (`sql`), so that neither
 * exists without the other (design: six rules, 3). One statement; the commit wakes the worker. An event and its
 * deliveries have the same `created_at`, the time of the transaction: it finds the one by the other in its partition.
 */
export async function emit(sql: Sql, events: readonly OutgoingEvent[]): Promise<void> {
  if (events.length > 0) {
    await sql.query(EMIT, [eventRows(events)], "gateway_emit")
  }
}

/** The parameter that `eventCtes` reads. */
export function eventRows(events: readonly OutgoingEvent[]): string {
  const traceparent = currentTraceparent() ?? undefined
  // What is left out is null: neither side then writes and reads it.
  const rows = events.map(({ merchant_id, environment, event_type, resource_id, data, occurred_at, ipn }) => {
    const event_id = newOrderedUuid()
    const row = {
      id: newOrderedId("gev"),
      event_id,
      merchant_id,
      environment,
      event_type,
      resource_id,
      data,
      occurred_at,
      traceparent,
    }
    return ipn === undefined || ipn === null
      ? row
      : {
          ...row,
          ipn_url: ipn.url,
          ipn_receiver: ipnReceiver({ merchant_id, environment }, ipn.url),
          ipn_body: { event_id, ...ipn.body },
        }
  })
  return JSON.stringify(rows)
}

/**
 * `emit` as part of a larger statement, so that the change and its events cost one round trip. Put this into the WITH
 * clause and end the statement with `WAKE`. `parameter` (`$3`) is what `eventRows` returns.
 */
export const eventCtes = (parameter: string) => `
  event_input AS (
    SELECT * FROM json_to_recordset(${parameter}::json) AS event (id text, event_id text, merchant_id text, environment text,
      event_type text, resource_id text, data jsonb, occurred_at timestamptz, traceparent text, ipn_url text, ipn_receiver text, ipn_body jsonb)),
  event_written AS (
    INSERT INTO gateway_event (id, event_id, merchant_id, environment, event_type, resource_id, data, occurred_at, traceparent)
    SELECT id, event_id, merchant_id, environment, event_type, resource_id, data, occurred_at, traceparent
    FROM event_input),
  event_deliveries AS (
    INSERT INTO gateway_webhook_delivery
      (id, merchant_id, environment, event_id, event_type, occurred_at, endpoint_id, ipn_url, ipn_body, receiver_key, next_attempt_at)
    SELECT 'gwd_' || replace(gen_random_uuid()::text, '-', ''), i.merchant_id, i.environment, i.event_id, i.event_type,
           i.occurred_at, e.id, NULL, NULL, e.id, now()
    FROM event_input i JOIN gateway_webhook_endpoint e ON e.merchant_id = i.merchant_id AND e.environment = i.environment
      AND e.is_active AND e.deleted_at IS NULL AND e.event_types && ARRAY[i.event_type, '*']
    UNION ALL
    SELECT 'gwd_' || replace(gen_random_uuid()::text, '-', ''), merchant_id, environment, event_id, event_type,
           occurred_at, NULL, ipn_url, ipn_body, ipn_receiver, now()
    FROM event_input WHERE ipn_url IS NOT NULL
    RETURNING id)`

/** Wakes the worker when there is something to deliver. */
export const WAKE = "SELECT gateway_wake_worker() FROM event_deliveries LIMIT 1"

const EMIT = `WITH ${eventCtes("$1")} ${WAKE}`

/**
 * Deliveries are shared fairly between receivers: one that hangs must not slow the others. The hosts of a merchant share
 * a limited number of receivers, because each receiver costs every claim a search, and the merchant may name a new host
 * with each order.
 */
export function ipnReceiver({ merchant_id, environment }: Tenant, url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : ""
  const bucket = createHash("sha256").update(host).digest()[0] % IPN_RECEIVERS
  return `ipn:${merchant_id}:${environment}:${bucket}`
}
