import { messageOf, type Message } from "../../../i18n/message"
import { audit, type By } from "../kernel/database/audit"
import { GatewayError } from "../kernel/errors"
import type { Database } from "../kernel/database/database"
import { isRowNumber } from "../kernel/text/ids"
import { addOwner } from "../kernel/database/numbered-lists"
import { Conditions } from "../kernel/database/conditions"
import { countedPlace, placeOf, type Place } from "../kernel/database/counters"
import { fromNearerEnd } from "../kernel/database/paging"
import type { Cradle, Tenant } from "../kernel/types"
import type { EventOrderService } from "./event-order"
import { ATTEMPTS_OF_DELIVERY, DELIVERY_TIMES, DELIVERY_TIMES_FROM, DELIVERY_URL, EVENT_OF_DELIVERY } from "./records"

export type DeliveryState = "pending" | "delivered" | "failed"

export type DeliveryRow = {
  id: string
  number: number
  event_id: string
  event_type: string
  endpoint_number: number | null
  url: string
  state: DeliveryState
  attempts: number
  next_attempt_at: Date
  last_status_code: number | null
  last_error: Message | null
  delivered_at: Date | null
  created_at: Date
  log: AttemptRow<string>[]
}

/** `Time` is a Date in a row of its own, and text where PostgreSQL has made JSON of it. */
export type AttemptRow<Time = Date> = {
  attempt: number
  attempted_at: Time
  url: string
  duration_ms: number
  status_code: number | null
  response: string | null
  error: Message | null
}

type DeliveryFilter = { endpoint_id?: string; event_id?: string; event_type?: string; status?: DeliveryState }

const FROM = `
  FROM gateway_webhook_delivery d LEFT JOIN gateway_webhook_endpoint e ON e.id = d.endpoint_id`
const COLUMNS = `
  d.id, d.number::float8 AS number, d.event_id, d.event_type, e.number AS endpoint_number, ${DELIVERY_URL},
  d.state, d.attempts, d.last_status_code, d.last_error, ${DELIVERY_TIMES},
  COALESCE((SELECT json_agg(json_build_object('attempt', a.attempt,
      'attempted_at', to_char(a.attempted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'url', a.url, 'duration_ms', a.duration_ms, 'status_code', a.status_code, 'response', a.response, 'error', a.error)
      ORDER BY a.attempt) FROM gateway_webhook_attempt a WHERE ${ATTEMPTS_OF_DELIVERY}), '[]') AS log`

/** Sends again: the first attempt at once, the count of failures reset. */
const AGAIN = `
  state = 'pending', failures = 0, next_attempt_at = now(), delivered_at = NULL, locked_until = NULL, lock_token = NULL,
  updated_at = now()`

const ENDPOINT = "SELECT 1 FROM gateway_webhook_endpoint e WHERE e.id = d.endpoint_id"
/** Excludes endpoints that their owner has deleted or switched off. */
const STILL_THERE = `NOT EXISTS (${ENDPOINT} AND e.deleted_at IS NOT NULL)`
const SWITCHED_ON = `NOT EXISTS (${ENDPOINT} AND NOT e.is_active)`

const REDELIVER_FAILED = `
  WITH again AS (
    UPDATE gateway_webhook_delivery d SET ${AGAIN} FROM gateway_event v
    WHERE ${EVENT_OF_DELIVERY} AND d.merchant_id = $1 AND d.environment = $2 AND d.state = 'failed'
      AND v.occurred_at >= $3 AND ${SWITCHED_ON} RETURNING d.id)
  SELECT id, CASE WHEN row_number() OVER () = 1 THEN gateway_wake_worker() END FROM again`

/** The log of deliveries, and sending them again (decisions: Webhooks). */
export class WebhookDeliveryService {
  private readonly database: Database

  private readonly order: EventOrderService

  constructor({ database, eventOrderService }: Cradle & { eventOrderService: EventOrderService }) {
    this.database = database
    this.order = eventOrderService
  }

  /** Newest first; `endpoint_id` is an endpoint's integer id or uuid. */
  async list(
    tenant: Tenant,
    filter: DeliveryFilter,
    page: { per_page: number; offset: number }
  ): Promise<{ rows: DeliveryRow[]; total: number }> {
    const conditions = conditionsOf(tenant, filter)
    const { total, before, skip, below } = await this.placeIn(tenant, filter, conditions, page)
    const { where, values } = conditions.add("d.number < ?", before)
    const { by, limit, offset } = fromNearerEnd("d.number DESC", { limit: page.per_page, offset: skip }, below)
    // Only the page's rows are joined with their attempts, not the skipped ones.
    const picked = `SELECT d.id, d.created_at FROM gateway_webhook_delivery d WHERE ${where}
      ORDER BY ${by} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`
    const rows = await this.database.query<DeliveryRow>(
      `SELECT ${COLUMNS} ${FROM} ${DELIVERY_TIMES_FROM} WHERE (d.id, d.created_at) IN (${picked}) ORDER BY d.number DESC`,
      [...values, limit, offset]
    )
    return { rows, total }
  }

  /**
   * Those after the delivery `after`, or from the start, in the order of their events, oldest first: who reads on from
   * the last one misses none and gets none twice (docs/decisions/20). Throws NOT_FOUND.
   */
  async after(
    tenant: Tenant,
    { after, ...filter }: DeliveryFilter & { after: string },
    limit: number
  ): Promise<{ rows: DeliveryRow[]; has_more: boolean }> {
    const { position, number } = await this.order.placeAfter(tenant, after)
    const { where, values } = conditionsOf(tenant, filter)
      .add("p.merchant_id = ? AND p.environment = ?", tenant.merchant_id, tenant.environment)
      .add("p.position >= ? AND (p.position > ? OR d.number > ?)", position, position, number)
    const picked = `SELECT d.id, d.created_at, p.position FROM gateway_event_position p
      JOIN gateway_webhook_delivery d ON d.event_id = p.event_id AND d.created_at = p.created_at
      WHERE ${where} ORDER BY p.position, d.number LIMIT $${values.length + 1}`
    const rows = await this.database.query<DeliveryRow>(
      `WITH picked AS MATERIALIZED (${picked})
       SELECT ${COLUMNS} ${FROM} JOIN picked ON picked.id = d.id AND picked.created_at = d.created_at
       ${DELIVERY_TIMES_FROM} ORDER BY picked.position, d.number`,
      [...values, limit + 1]
    )
    return { rows: rows.slice(0, limit), has_more: rows.length > limit }
  }

  /**
   * A search is counted row by row; counters know the number of all deliveries. `below`: how many rows are below `before`,
   * where that is known.
   */
  private async placeIn(
    tenant: Tenant,
    filter: DeliveryFilter,
    conditions: Conditions,
    { offset }: { offset: number }
  ): Promise<Place & { below: number }> {
    if (Object.values(filter).every((value) => value === undefined)) {
      return { ...(await placeOf(this.database, tenant, "delivery", offset)), below: Infinity }
    }
    const place = await countedPlace(this.database, "gateway_webhook_delivery d", conditions, offset)
    // Their numbers outgrow the integers that number the rows of other lists.
    return { ...place, before: Number.MAX_SAFE_INTEGER, below: place.total }
  }

  /**
   * Sends a delivery again, whatever its state; `id` is its integer id or its row's. Throws NOT_FOUND, also when its
   * endpoint is deleted, and INVALID_STATE_TRANSITION when the endpoint is switched off.
   */
  async redeliver(tenant: Tenant & By, id: string): Promise<DeliveryRow> {
    const { merchant_id, environment } = tenant
    const named = isRowNumber(id) ? "d.number = $3::bigint" : "d.id = $3"
    const own = `d.merchant_id = $1 AND d.environment = $2 AND ${named} AND ${STILL_THERE}`
    const values = [merchant_id, environment, id]
    return this.database.transaction(async (sql) => {
      const [row] = await sql.query<{ id: string }>(
        `WITH again AS (UPDATE gateway_webhook_delivery d SET ${AGAIN} WHERE ${own} AND ${SWITCHED_ON} RETURNING id)
         SELECT id, gateway_wake_worker() FROM again`,
        values
      )
      if (row === undefined) {
        const there = await sql.query(`SELECT 1 FROM gateway_webhook_delivery d WHERE ${own}`, values)
        throw there.length === 0
          ? new GatewayError("NOT_FOUND", messageOf("refusal.delivery_unknown"))
          : new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.endpoint_off"))
      }
      const [delivery] = await sql.query<DeliveryRow>(
        `SELECT ${COLUMNS} ${FROM} ${DELIVERY_TIMES_FROM} WHERE d.id = $1`,
        [row.id]
      )
      const after = { event_type: delivery.event_type, url: delivery.url }
      await audit(sql, {
        merchant_id,
        environment,
        by: tenant,
        action: "webhook_delivery.redelivered" as const,
        resource_id: row.id,
        after,
      })
      return delivery
    })
  }

  /** Sends again what has failed for good since `since`, except to endpoints that are off; returns how many. */
  async redeliverFailed(tenant: Tenant & By, since: Date): Promise<number> {
    const { merchant_id, environment } = tenant
    return this.database.transaction(async (sql) => {
      const rows = await sql.query(REDELIVER_FAILED, [merchant_id, environment, since])
      const entry = { merchant_id, environment, by: tenant, action: "webhook_delivery.all_redelivered" as const }
      await audit(sql, { ...entry, resource_id: merchant_id, after: { since, deliveries: rows.length } })
      return rows.length
    })
  }
}

function conditionsOf(tenant: Tenant, filter: DeliveryFilter): Conditions {
  const { merchant_id, environment } = tenant
  const conditions = new Conditions("d.merchant_id = ? AND d.environment = ?", merchant_id, environment)
  addOwner(conditions, "d.endpoint_id", "gateway_webhook_endpoint", tenant, filter.endpoint_id)
  return conditions
    .when(filter.event_id, "d.event_id = ?")
    .when(filter.event_type, "d.event_type = ?")
    .when(filter.status, "d.state = ?")
}
