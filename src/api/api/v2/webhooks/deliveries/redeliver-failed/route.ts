import { endpoint } from "../../../../../v2-kit/endpoint"
import { envelope } from "../../../../../v2-kit/envelopes"
import { readSince } from "../schemas"

/** Sends again everything that has failed for good since a given time. */
export const POST = endpoint(async ({ gateway, caller, body }) => {
  const redelivered = await gateway.webhookDeliveries.redeliverFailed(caller, readSince(body))
  return envelope("Failed deliveries are on their way again", { redelivered })
})
