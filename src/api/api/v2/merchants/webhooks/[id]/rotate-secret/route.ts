import { operation } from "../../../../../../v2-kit/operation"
import { repeatable } from "../../../../../../v2-kit/idempotency"
import { WITH_SECRET, parameters, presentEndpoint, webhookEndpointWithSecret } from "../../resource"
import { enveloped } from "../../../../../../v2-kit/answers"

/**
 * The old secret remains valid as a second signature for 24 hours; only this response shows the new one (decisions:
 * Webhooks).
 */
export const POST = operation({
  id: "rotateWebhookSecret",
  tag: "Webhooks",
  summary: "Give a webhook endpoint a new secret",
  description:
    "For 24 hours the old one signs too, in the header `webhook-signature`, whatever rotations follow; at most eight old ones do.",
  scope: "webhooks:write",
  parameters,
  answer: enveloped({
    message: "The endpoint has a new secret",
    data: webhookEndpointWithSecret,
    description: "The endpoint with its new secret.",
    example: WITH_SECRET,
  }),
  codes: ["WEBHOOK_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  run: async (context) => {
    const { gateway, params } = context
    const row = await gateway.webhookEndpoints.rotateSecret(repeatable(context), params.id)
    return { ...presentEndpoint(row), secret: row.secret }
  },
})
