import { translate } from "../../../../../i18n/translate"
import type { WebhookEndpoint } from "../../../../../modules/gateway/webhooks/endpoints"

/** An endpoint without its secret (decisions: Webhooks). */
export function presentEndpoint(row: WebhookEndpoint): Record<string, unknown> {
  return {
    id: row.number,
    uuid: row.uuid,
    endpoint_url: row.endpoint_url,
    event_types: row.event_types,
    signature_format: row.signature_format,
    is_active: row.is_active,
    disabled_reason: row.disabled_reason && translate(row.disabled_reason),
    created_at: row.created_at.toISOString(),
  }
}
