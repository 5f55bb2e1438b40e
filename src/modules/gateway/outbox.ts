import { randomBytes, randomUUID } from "node:crypto"
import type { Sql } from "./database"
import type { Tenant } from "./types"

export type OutgoingEvent = Tenant & {
  event_type: string
  /** What the event is about: a transaction, a refund, a subscription. */
  resource_id: string
  data: Record<string, unknown>
  occurred_at: Date
}

/** Writes events beside the change they tell of: `sql` is the transaction of that change (design: six rules, 3). */
export async function emit(sql: Sql, events: readonly OutgoingEvent[]): Promise<void> {
  if (events.length === 0) {
    return
  }
  const rows = events.map((event) => ({
    ...event,
    id: `gev_${randomBytes(13).toString("hex")}`,
    event_id: randomUUID(),
  }))
  await sql.query(
    `INSERT INTO gateway_event (id, event_id, merchant_id, environment, event_type, resource_id, data, occurred_at)
     SELECT id, event_id, merchant_id, environment, event_type, resource_id, data, occurred_at
     FROM jsonb_to_recordset($1::jsonb) AS event (id text, event_id text, merchant_id text, environment text,
          event_type text, resource_id text, data jsonb, occurred_at timestamptz)`,
    [JSON.stringify(rows)]
  )
}
