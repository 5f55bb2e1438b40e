import { messageOf, type Message } from "../../../i18n/message"
import type { Database } from "../kernel/database/database"
import type { AttemptRow, DeliveryState } from "./deliveries"
import { DELIVERY_TIMES, DELIVERY_TIMES_FROM, DELIVERY_URL } from "./records"
import { eventBody, type EventRecord } from "../kernel/database/events"
import { GatewayError } from "../kernel/errors"
import { WRITTEN_LATE } from "./events"
import { Conditions } from "../kernel/database/conditions"
import { pageOf, type Page, type Window } from "../kernel/database/paging"
import type { Cradle, Tenant } from "../kernel/types"

/**
 * Times are on the merchant's clock, except an event's `created_at`: that is real time, and the list is in its order.
 */
type EventLogFilter = {
  /** The id of an event, or of its subject: a transaction, a refund. */
  q?: string
  event_type?: string
  from?: Date
  to?: Date
  order: { descending: boolean }
}
export type LoggedEvent = {
  event_id: string
  event_type: string
  resource_id: string
  occurred_at: Date
  created_at: Date
}

type DeliveryLogFilter = {
  /** The id of an event, or of its subject. */
  q?: string
  endpoint_id?: string
  status?: DeliveryState
  kind?: "webhook" | "ipn"
  from?: Date
  to?: Date
  order: { descending: boolean }
}
export type LoggedDelivery = {
  id: string
  number: number
  event_id: string
  event_type: string
  endpoint_id: string | null
  /** Deliveries to a deleted endpoint cannot be sent again. */
  endpoint_deleted: boolean
  url: string
  state: DeliveryState
  attempts: number
  next_attempt_at: Date
  last_status_code: number | null
  last_error: Message | null
  delivered_at: Date | null
  created_at: Date
}

const EVENT_COLUMNS = "v.event_id, v.event_type, v.resource_id, v.occurred_at, v.created_at"
const DELIVERY_COLUMNS = `
  d.id, d.number::float8 AS number, d.event_id, d.event_type, e.uuid AS endpoint_id, e.deleted_at IS NOT NULL AS endpoint_deleted,
  ${DELIVERY_URL}, d.state, d.attempts, d.last_status_code, d.last_error,
  ${DELIVERY_TIMES}`
const DELIVERY_JOIN = `LEFT JOIN gateway_webhook_endpoint e ON e.id = d.endpoint_id ${DELIVERY_TIMES_FROM}`

/** Events and deliveries for the admin's lists; `/api/v2` has its own lists in the contract's pages. */
export class WebhookLogService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  async events(tenant: Tenant, filter: EventLogFilter, window: Window): Promise<Page<LoggedEvent>> {
    const conditions = new Conditions("v.merchant_id = ? AND v.environment = ?", tenant.merchant_id, tenant.environment)
    if (filter.q !== undefined) {
      conditions.add("(v.event_id = ? OR v.resource_id = ?)", filter.q, filter.q)
    }
    conditions
      .when(filter.event_type, "v.event_type = ?")
      .during(filter, "v.occurred_at", "v.created_at", tenant, WRITTEN_LATE)
    const direction = filter.order.descending ? "DESC" : "ASC"
    const { where, values } = conditions
    const order = `v.created_at ${direction}, v.id ${direction}`
    return pageOf(
      this.database,
      { table: "gateway_event v", where, values, order, key: "v.created_at, v.id", columns: EVENT_COLUMNS },
      window
    )
  }

  /** An event with the body that its receivers get; throws NOT_FOUND. */
  async event(tenant: Tenant, event_id: string): Promise<LoggedEvent & { body: Record<string, unknown> }> {
    const [row] = await this.database.query<LoggedEvent & EventRecord>(
      `SELECT ${EVENT_COLUMNS}, v.data, m.number AS merchant_number
       FROM gateway_event v JOIN gateway_merchant m ON m.id = v.merchant_id
       WHERE v.event_id = $3 AND v.merchant_id = $1 AND v.environment = $2`,
      [tenant.merchant_id, tenant.environment, event_id]
    )
    if (row === undefined) {
      throw new GatewayError("NOT_FOUND", messageOf("refusal.event_unknown"))
    }
    const { event_type, resource_id, occurred_at, created_at } = row
    return { event_id, event_type, resource_id, occurred_at, created_at, body: eventBody(row) }
  }

  async deliveries(tenant: Tenant, filter: DeliveryLogFilter, window: Window): Promise<Page<LoggedDelivery>> {
    const conditions = new Conditions("d.merchant_id = ? AND d.environment = ?", tenant.merchant_id, tenant.environment)
    if (filter.q !== undefined) {
      conditions.add(
        "(d.event_id, d.created_at) IN (SELECT event_id, created_at FROM gateway_event WHERE event_id = ? OR resource_id = ?)",
        filter.q,
        filter.q
      )
    }
    if (filter.kind !== undefined) {
      conditions.add(filter.kind === "ipn" ? "d.endpoint_id IS NULL" : "d.endpoint_id IS NOT NULL")
    }
    conditions
      .when(filter.endpoint_id, "d.endpoint_id = (SELECT id FROM gateway_webhook_endpoint WHERE uuid = ?)")
      .when(filter.status, "d.state = ?")
      .when(filter.from, "d.occurred_at >= ?")
      .when(filter.to, "d.occurred_at < ?")
    const direction = filter.order.descending ? "DESC" : "ASC"
    // Work that was done late has a newer number than others of its time: a period is read in the order of time.
    const isDated = filter.from !== undefined || filter.to !== undefined
    const key = isDated ? "d.occurred_at, d.number" : "d.number"
    const order = isDated ? `d.occurred_at ${direction}, d.number ${direction}` : `d.number ${direction}`
    const { where, values } = conditions
    const list = {
      table: "gateway_webhook_delivery d",
      where,
      values,
      order,
      columns: DELIVERY_COLUMNS,
      join: DELIVERY_JOIN,
      key,
    } as const
    return pageOf(this.database, list, window)
  }

  /** A delivery with its body and all attempts; throws NOT_FOUND. */
  async delivery(
    tenant: Tenant,
    id: string
  ): Promise<LoggedDelivery & { body: Record<string, unknown>; log: AttemptRow[] }> {
    const [row] = await this.database.query<
      LoggedDelivery & EventRecord & { ipn_body: Record<string, unknown> | null }
    >(
      `SELECT ${DELIVERY_COLUMNS}, d.ipn_body, v.data, v.occurred_at, m.number AS merchant_number
       FROM gateway_webhook_delivery d ${DELIVERY_JOIN}
       JOIN gateway_merchant m ON m.id = d.merchant_id
       WHERE d.id = $3 AND d.merchant_id = $1 AND d.environment = $2 AND v.event_id IS NOT NULL`,
      [tenant.merchant_id, tenant.environment, id]
    )
    if (row === undefined) {
      throw new GatewayError("NOT_FOUND", messageOf("refusal.delivery_unknown"))
    }
    const log = await this.database.query<AttemptRow>(
      `SELECT attempt, attempted_at, url, duration_ms, status_code, response, error FROM gateway_webhook_attempt
       WHERE delivery_id = $1 AND delivery_created_at = (
         SELECT created_at FROM gateway_webhook_delivery WHERE id = $1) ORDER BY attempt`,
      [id]
    )
    return { ...row, body: row.ipn_body ?? eventBody(row), log }
  }
}
