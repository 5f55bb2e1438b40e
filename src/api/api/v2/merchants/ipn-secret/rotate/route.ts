import { endpoint } from "../../../../../contract/endpoint"
import { envelope } from "../../../../../contract/envelopes"

/** The old secret signs along for 24 hours. */
export const POST = endpoint(async ({ gateway, caller }) => {
  const { secret } = await gateway.webhookEndpoints.rotateIpnSecret(caller)
  return envelope("There is a new IPN secret", { secret })
})
