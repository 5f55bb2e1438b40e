import { messageOf } from "../../../i18n/message"
import type { Database } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { isRowNumber } from "../kernel/text/ids"
import type { Cradle, Tenant } from "../kernel/types"

/** How many events one statement numbers: it holds the lock for some tenths of a second at most. */
const BATCH = 10_000
/** A reader numbers no more than this many batches before it answers; a worker numbers what is left. */
const BATCHES_OF_READER = 5

/** Reads from the oldest event that is kept. */
const FROM_START = "start"

/** SQL: positions `p` with their events `v`, in the event's partition. */
export const POSITION_OF_EVENT = "v.event_id = p.event_id AND v.created_at = p.created_at"

/**
 * The order in which events can be read without loss (docs/decisions/20). `created_at` is the beginning of a
 * transaction, and commits overtake each other: who reads on from the last event read would miss what commits later.
 */
export class EventOrderService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** Gives committed events their positions, one batch; returns their number. */
  async numberBatch(): Promise<number> {
    const [{ numbered }] = await this.database.query<{ numbered: number }>(
      "SELECT gateway_number_events($1) AS numbered",
      [BATCH]
    )
    return numbered
  }

  /** Before a page is read: what was committed before is then part of the order. */
  private async catchUp(): Promise<void> {
    for (let batch = 0; batch < BATCHES_OF_READER && (await this.numberBatch()) === BATCH; batch++);
  }

  /**
   * The position from which a reader goes on, after what is committed by now has got one. The largest number while the
   * event has none itself. Throws NOT_FOUND for an event that is unknown, another tenant's or purged.
   */
  async positionAfter({ merchant_id, environment }: Tenant, event_id: string): Promise<number> {
    await this.catchUp()
    if (event_id === FROM_START) {
      return 0
    }
    const [row] = await this.database.query<{ position: number | null }>(
      `SELECT p.position::float8 AS position FROM gateway_event v
       LEFT JOIN gateway_event_position p ON ${POSITION_OF_EVENT}
       WHERE v.event_id = $3 AND v.merchant_id = $1 AND v.environment = $2`,
      [merchant_id, environment, event_id]
    )
    if (row === undefined) {
      throw new GatewayError("NOT_FOUND", messageOf("refusal.event_unknown"), { field: "after" })
    }
    return row.position ?? Number.MAX_SAFE_INTEGER
  }

  /** The same for the log of deliveries, which is read in the order of events: the position and the delivery's number. */
  async placeAfter({ merchant_id, environment }: Tenant, id: string): Promise<{ position: number; number: number }> {
    await this.catchUp()
    if (id === FROM_START) {
      return { position: 0, number: 0 }
    }
    const [row] = await this.database.query<{ position: number | null; number: number }>(
      `SELECT p.position::float8 AS position, d.number::float8 AS number FROM gateway_webhook_delivery d
       LEFT JOIN gateway_event_position p ON p.event_id = d.event_id AND p.created_at = d.created_at
       WHERE ${isRowNumber(id) ? "d.number = $3::bigint" : "d.id = $3"} AND d.merchant_id = $1 AND d.environment = $2`,
      [merchant_id, environment, id]
    )
    if (row === undefined) {
      throw new GatewayError("NOT_FOUND", messageOf("refusal.delivery_unknown"), { field: "after" })
    }
    return { position: row.position ?? Number.MAX_SAFE_INTEGER, number: row.number }
  }
}
