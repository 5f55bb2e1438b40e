import { endpoint } from "../../../../v2-kit/endpoint"
import { envelope } from "../../../../v2-kit/envelopes"

/** The secret that signs the merchant's IPNs (decisions: Callback, IPN and webhook URLs). */
export const GET = endpoint(async ({ gateway, caller }) => {
  const { secret } = await gateway.webhookEndpoints.ipnSecret(caller)
  return envelope("The IPN secret", { secret })
})
