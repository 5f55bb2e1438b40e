import type { LoggedDelivery } from "../../../../modules/gateway/webhooks/log"
import { presentMessageOrNull } from "../../../admin-kit/present"

export function presentDelivery(row: LoggedDelivery) {
  return {
    id: row.id,
    number: row.number,
    kind: row.endpoint_id === null ? ("ipn" as const) : ("webhook" as const),
    event_id: row.event_id,
    event_type: row.event_type,
    webhook_id: row.endpoint_id,
    webhook_deleted: row.endpoint_deleted,
    url: row.url,
    status: row.state,
    attempts: row.attempts,
    next_attempt_at: row.state === "pending" ? row.next_attempt_at : null,
    status_code: row.last_status_code,
    error: presentMessageOrNull(row.last_error),
    delivered_at: row.delivered_at,
    created_at: row.created_at,
  }
}
