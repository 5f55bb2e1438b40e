import { endpoint } from "../../../../../v2-kit/endpoint"
import { envelope } from "../../../../../v2-kit/envelopes"

/** The old secret remains valid as a second signature for 24 hours. */
export const POST = endpoint(async ({ gateway, caller }) => {
  const { secret } = await gateway.webhookEndpoints.rotateIpnSecret(caller)
  return envelope("There is a new IPN secret", { secret })
})
