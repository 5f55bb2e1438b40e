import { endpoint } from "../../../../../v2-kit/endpoint"
import { bare } from "../../../../../v2-kit/envelopes"
import { presentSubscription } from "../present"
import { readSubscriptionChange } from "../schemas"

export const GET = endpoint(async ({ gateway, caller, params }) =>
  bare(presentSubscription(await gateway.subscriptions.retrieve(caller, params.subscription_id), caller))
)

/** Changes the terms from the next cycle on. */
export const PATCH = endpoint(async ({ gateway, caller, params, body }) => {
  const row = await gateway.subscriptions.update(caller, params.subscription_id, readSubscriptionChange(body))
  return bare(presentSubscription(row, caller))
})
