import { endpoint } from "../../../../../v2-kit/endpoint"
import { envelope } from "../../../../../v2-kit/envelopes"
import { repeatable } from "../../../../../v2-kit/idempotency"

/** The old secret remains valid as a second signature for 24 hours. */
export const POST = endpoint(async (context) => {
  const { secret } = await context.gateway.webhookEndpoints.rotateIpnSecret(repeatable(context))
  return envelope("There is a new IPN secret", { secret })
})
