import type { WebhookEndpoint } from "../../../../modules/gateway/webhooks/endpoints"
import { presentMessageOrNull } from "../../../admin-kit/present"

/** An endpoint without its secret. */
export function presentWebhook(row: WebhookEndpoint) {
  const {
    uuid,
    number,
    endpoint_url,
    event_types,
    signature_format,
    is_active,
    disabled_reason,
    failing_since,
    created_at,
  } = row
  return {
    id: uuid,
    number,
    endpoint_url,
    event_types,
    signature_format,
    is_active,
    disabled_reason: presentMessageOrNull(disabled_reason),
    failing_since,
    created_at,
  }
}
