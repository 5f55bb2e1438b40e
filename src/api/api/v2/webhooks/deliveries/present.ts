import { translate } from "../../../../../i18n/translate"
import type { Message } from "../../../../../i18n/message"
import type { DeliveryRow } from "../../../../../modules/gateway/webhooks/deliveries"

export function presentDelivery(row: DeliveryRow): Record<string, unknown> {
  return {
    id: row.number,
    event_id: row.event_id,
    event_type: row.event_type,
    endpoint_id: row.endpoint_number,
    url: row.url,
    status: row.state,
    attempts: row.attempts,
    next_attempt_at: row.state === "pending" ? row.next_attempt_at.toISOString() : null,
    status_code: row.last_status_code,
    error: wordsOf(row.last_error),
    delivered_at: row.delivered_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    log: row.log.map((attempt) => ({ ...attempt, error: wordsOf(attempt.error) })),
  }
}

/** The contract shows a text (4.7). */
function wordsOf(error: Message | null): string | null {
  return error && translate(error)
}
