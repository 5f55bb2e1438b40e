import { z } from "@medusajs/framework/zod"
import { presentMessageOrNull } from "../../../admin-kit/present"
import { messageOf } from "../../../../i18n/message"
import { GatewayError } from "../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
import { EVENT_TYPES, type EventType } from "../../../../modules/gateway/kernel/database/events"
import { sampleEvent } from "../../../api/v2/webhooks/[test]/samples"
import { parseWithUrls } from "../../../v2-kit/refusals"
import { anyText, required, rule, text, withoutAbsent } from "../../../v2-kit/validate"
import { tenantEndpoint, type TenantContext } from "../../../admin-kit/endpoint"

const schema = z.object({
  event: z.enum(EVENT_TYPES, required(rule("an_event"))),
  webhook_id: text(64).optional(),
  url: anyText.optional(),
})

/**
 * Sends a sample at once: to an endpoint (`webhook_id`), signed as its deliveries are, or to a `url`, signed as over
 * `/api/v2`. 200 even when the receiver failed; the body then says how. Sandbox only, as over `/api/v2`.
 */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant } = context
  if (tenant.environment !== "sandbox") {
    throw new GatewayError("INVALID_ENVIRONMENT", messageOf("refusal.samples_in_sandbox"))
  }
  const { allowPrivateUrls } = gateway.options
  const urls = { url: LIMITS.urlMaxChars }
  const { event, ...target } = parseWithUrls(schema, withoutAbsent(context.body, []), urls, allowPrivateUrls)
  const { url, signing } = await receiver(context, event, target)
  const sample = sampleEvent(event, tenant)
  const result = await gateway.webhookDispatch.sample(url, sample.body, sample.event_id, signing)
  const { status_code, duration_ms, error, response } = result
  return {
    test_delivery: {
      url,
      delivered: status_code === 200,
      status_code,
      duration_ms,
      error: presentMessageOrNull(error),
      response,
      body: sample.body,
    },
  }
})

async function receiver(
  { gateway, tenant }: TenantContext,
  event: EventType,
  { webhook_id, url }: { webhook_id?: string; url?: string }
) {
  if ((webhook_id === undefined) === (url === undefined)) {
    throw new GatewayError("VALIDATION_ERROR", messageOf("refusal.sample_one_of_two"), { field: "webhook_id" })
  }
  if (url !== undefined) {
    return { url, signing: await gateway.webhookEndpoints.signingOfUrl(tenant, url, event) }
  }
  const { endpoint_url, ...signing } = await gateway.webhookEndpoints.signing(tenant, webhook_id ?? "")
  return { url: endpoint_url, signing }
}
