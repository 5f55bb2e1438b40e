import { endpoint } from "../../../../contract/endpoint"
import { envelope } from "../../../../contract/envelopes"

/** The secret that signs the merchant's IPNs (decisions: Callback, IPN and webhook URLs). */
export const GET = endpoint(async ({ gateway, caller }) => {
  const { secret } = await gateway.webhookEndpoints.ipnSecret(caller)
  return envelope("The IPN secret", { secret })
})
