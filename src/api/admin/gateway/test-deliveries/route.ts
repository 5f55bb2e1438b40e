import { z } from "@medusajs/framework/zod"
import { GatewayError } from "../../../../modules/gateway/kernel/errors"
import { EVENT_TYPES } from "../../../../modules/gateway/kernel/events"
import { sampleEvent } from "../../../api/v2/webhooks/[test]/schemas"
import { requireReachable } from "../../../api/v2/merchants/webhooks/schemas"
import { parse, required, text, withoutAbsent } from "../../../v2-kit/validate"
import { tenantEndpoint, type TenantContext } from "../../../admin-kit/endpoint"

const schema = z.object({
  event: z.enum(EVENT_TYPES, required("must be one of the events")),
  webhook_id: text(64).optional(),
  url: text(4_096).optional(),
})

/**
 * Sends a sample at once: to an endpoint (`webhook_id`), signed as its deliveries are, or to a `url`, signed with the
 * IPN secret. 200 even when the receiver failed; the body then says how. Sandbox only, as over `/api/v2`.
 */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant } = context
  if (tenant.environment !== "sandbox") {
    throw new GatewayError("INVALID_ENVIRONMENT", "Samples are sent in the sandbox only")
  }
  const { event, ...target } = parse(schema, withoutAbsent(context.body, []))
  const { url, signing } = await receiver(context, target)
  const sample = sampleEvent(event, tenant)
  const result = await gateway.webhookDispatch.sample(url, sample.body, sample.event_id, signing)
  const { status_code, duration_ms, error, response } = result
  return {
    test_delivery: {
      url,
      delivered: status_code === 200,
      status_code,
      duration_ms,
      error,
      response,
      body: sample.body,
    },
  }
})

async function receiver(
  { gateway, tenant }: TenantContext,
  { webhook_id, url }: { webhook_id?: string; url?: string }
) {
  if ((webhook_id === undefined) === (url === undefined)) {
    throw new GatewayError("VALIDATION_ERROR", "Send exactly one of webhook_id and url", { field: "webhook_id" })
  }
  if (url !== undefined) {
    requireReachable(url, "url", gateway.options.allowPrivateUrls)
    return { url, signing: await gateway.webhookEndpoints.ipnSecret(tenant) }
  }
  const { endpoint_url, secret, signature_format } = await gateway.webhookEndpoints.signing(tenant, webhook_id ?? "")
  return { url: endpoint_url, signing: { secret, format: signature_format } }
}
