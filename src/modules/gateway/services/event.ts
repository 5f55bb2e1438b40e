import { EVENT_LIFE_DAYS, type EventRecord } from "../domain/events"
import { GatewayError } from "../domain/errors"
import type { Database } from "../database"
import type { Cradle, Tenant } from "../types"

export type EventFilter = { event_type?: string; from?: Date; to?: Date }

const COLUMNS = "v.event_id, v.event_type, v.occurred_at, m.number AS merchant_number, v.data"

/** The log of what happened, for merchants' engineers (decisions: Webhooks). */
export class EventService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Newest first. `from` is inclusive, `to` exclusive; both by the merchant's clock. */
  async list(
    tenant: Tenant,
    filter: EventFilter,
    page: { per_page: number; offset: number }
  ): Promise<{ rows: EventRecord[]; total: number }> {
    const where = `v.merchant_id = $1 AND v.environment = $2 AND ($3::text IS NULL OR v.event_type = $3)
      AND ($4::timestamptz IS NULL OR v.occurred_at >= $4) AND ($5::timestamptz IS NULL OR v.occurred_at < $5)`
    const values = [tenant.merchant_id, tenant.environment, filter.event_type ?? null, filter.from ?? null, filter.to ?? null]
    const [{ total }] = await this.database.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM gateway_event v WHERE ${where}`,
      values
    )
    const rows = await this.database.query<EventRecord>(
      `SELECT ${COLUMNS} FROM gateway_event v JOIN gateway_merchant m ON m.id = v.merchant_id WHERE ${where}
       ORDER BY v.created_at DESC, v.id DESC LIMIT $6 OFFSET $7`,
      [...values, page.per_page, page.offset]
    )
    return { rows, total }
  }

  /** Throws NOT_FOUND. */
  async retrieve(tenant: Tenant, event_id: string): Promise<EventRecord> {
    const [row] = await this.database.query<EventRecord>(
      `SELECT ${COLUMNS} FROM gateway_event v JOIN gateway_merchant m ON m.id = v.merchant_id
       WHERE v.event_id = $3 AND v.merchant_id = $1 AND v.environment = $2`,
      [tenant.merchant_id, tenant.environment, event_id]
    )
    if (row === undefined) {
      throw new GatewayError("NOT_FOUND", "No event was found with this id")
    }
    return row
  }

  /** Forgets events, their deliveries and attempts after 90 days; answers how many events went. */
  async purge(): Promise<number> {
    return this.database.transaction(async (sql) => {
      await sql.query(
        `DELETE FROM gateway_webhook_attempt WHERE delivery_id IN
           (SELECT id FROM gateway_webhook_delivery WHERE created_at < now() - $1 * interval '1 day')`,
        [EVENT_LIFE_DAYS]
      )
      await sql.query("DELETE FROM gateway_webhook_delivery WHERE created_at < now() - $1 * interval '1 day'", [
        EVENT_LIFE_DAYS,
      ])
      const gone = await sql.query(
        "DELETE FROM gateway_event WHERE created_at < now() - $1 * interval '1 day' RETURNING id",
        [EVENT_LIFE_DAYS]
      )
      return gone.length
    })
  }
}
