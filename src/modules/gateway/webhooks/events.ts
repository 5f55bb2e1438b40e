import { messageOf } from "../../../i18n/message"
import { EVENT_LIFE_DAYS, type EventRecord } from "../kernel/database/events"
import { GatewayError } from "../kernel/errors"
import type { Database } from "../kernel/database/database"
import { Conditions } from "../kernel/database/conditions"
import { countedPlace, placeOfEvents } from "../kernel/database/counters"
import type { PartitionService } from "../kernel/database/partitions"
import type { Cradle, Tenant } from "../kernel/types"
import { POSITION_OF_EVENT, type EventOrderService } from "./event-order"

type EventFilter = { event_type?: string; from?: Date; to?: Date }

/** Work that fell due while no worker ran is done later, with the time at which it was due. */
export const WRITTEN_LATE = "7 days"

const COLUMNS = "v.event_id, v.event_type, v.occurred_at, m.number AS merchant_number, v.data"

/** The log of events, for merchants' engineers (decisions: Webhooks). */
export class EventService {
  private readonly database: Database
  private readonly partitions: PartitionService
  private readonly order: EventOrderService

  constructor({
    database,
    partitionService,
    eventOrderService,
  }: Cradle & { partitionService: PartitionService; eventOrderService: EventOrderService }) {
    this.database = database
    this.partitions = partitionService
    this.order = eventOrderService
  }

  /** Newest first. `from` is inclusive, `to` exclusive, both on the merchant's clock. */
  async list(
    tenant: Tenant,
    filter: EventFilter,
    page: { per_page: number; offset: number }
  ): Promise<{ rows: EventRecord[]; total: number }> {
    const conditions = new Conditions("v.merchant_id = ? AND v.environment = ?", tenant.merchant_id, tenant.environment)
    conditions
      .when(filter.event_type, "v.event_type = ?")
      .during(filter, "v.occurred_at", "v.created_at", tenant, WRITTEN_LATE)
    const { total, skip } = await this.placeIn(tenant, filter, conditions, page)
    const { where, values } = conditions
    const rows = await this.database.query<EventRecord>(
      `SELECT ${COLUMNS} FROM gateway_event v JOIN gateway_merchant m ON m.id = v.merchant_id WHERE ${where}
       ORDER BY v.created_at DESC, v.id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
      [...values, page.per_page, skip]
    )
    return { rows, total }
  }

  /**
   * Those after the event with the id `after`, or from the start, oldest first: who reads on from the last one misses
   * none and gets none twice (docs/decisions/20). Throws NOT_FOUND.
   */
  async after(
    tenant: Tenant,
    { after, ...filter }: EventFilter & { after: string },
    limit: number
  ): Promise<{ rows: EventRecord[]; has_more: boolean }> {
    const { merchant_id, environment } = tenant
    const position = await this.order.positionAfter(tenant, after)
    const conditions = new Conditions("p.merchant_id = ? AND p.environment = ?", merchant_id, environment)
    conditions
      .add("p.position > ?", position)
      .when(filter.event_type, "p.event_type = ?")
      .during(filter, "v.occurred_at", "p.created_at", tenant, WRITTEN_LATE)
    const { where, values } = conditions
    const rows = await this.database.query<EventRecord>(
      `SELECT ${COLUMNS} FROM gateway_event_position p JOIN gateway_event v ON ${POSITION_OF_EVENT}
       JOIN gateway_merchant m ON m.id = v.merchant_id WHERE ${where} ORDER BY p.position LIMIT $${values.length + 1}`,
      [...values, limit + 1]
    )
    return { rows: rows.slice(0, limit), has_more: rows.length > limit }
  }

  /**
   * A period is counted row by row, on the merchant's clock; counters know the number of all events and of each type.
   */
  private async placeIn(
    tenant: Tenant,
    filter: EventFilter,
    conditions: Conditions,
    page: { offset: number }
  ): Promise<{ total: number; skip: number }> {
    const { event_type, from, to } = filter
    if (from === undefined && to === undefined) {
      const types = event_type === undefined ? undefined : [event_type]
      const place = await placeOfEvents(this.database, tenant, page.offset, types)
      conditions.add("v.created_at < ?", place.before)
      return place
    }
    return countedPlace(this.database, "gateway_event v", conditions, page.offset)
  }

  /** Throws NOT_FOUND. */
  async retrieve(tenant: Tenant, event_id: string): Promise<EventRecord> {
    const [row] = await this.database.query<EventRecord>(
      `SELECT ${COLUMNS} FROM gateway_event v JOIN gateway_merchant m ON m.id = v.merchant_id
       WHERE v.event_id = $3 AND v.merchant_id = $1 AND v.environment = $2`,
      [tenant.merchant_id, tenant.environment, event_id]
    )
    if (row === undefined) {
      throw new GatewayError("NOT_FOUND", messageOf("refusal.event_unknown"))
    }
    return row
  }

  /**
   * Drops the months of which every event is older than 90 days, with their deliveries and attempts; returns the names
   * of the partitions. Deliveries first: one without its event could never be sent, and the database refuses the other
   * order.
   */
  async purge(): Promise<string[]> {
    const deliveries = await this.partitions.drop("gateway_webhook_delivery", EVENT_LIFE_DAYS)
    return [...deliveries, ...(await this.partitions.drop("gateway_event", EVENT_LIFE_DAYS))]
  }
}
