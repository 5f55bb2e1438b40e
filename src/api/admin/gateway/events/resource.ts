import type { LoggedEvent } from "../../../../modules/gateway/webhooks/log"

export function presentEvent({ event_id, event_type, resource_id, occurred_at, created_at }: LoggedEvent) {
  return { id: event_id, event_type, resource_id, occurred_at, created_at }
}
