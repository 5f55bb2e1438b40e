import { endpoint } from "../../../../../../v2-kit/endpoint"
import { envelope } from "../../../../../../v2-kit/envelopes"
import { repeatable } from "../../../../../../v2-kit/idempotency"
import { presentEndpoint } from "../../present"

/**
 * The old secret remains valid as a second signature for 24 hours; only this response shows the new one (decisions:
 * Webhooks).
 */
export const POST = endpoint(async (context) => {
  const { gateway, params } = context
  const row = await gateway.webhookEndpoints.rotateSecret(repeatable(context), params.id)
  return envelope("The endpoint has a new secret", { ...presentEndpoint(row), secret: row.secret })
})
