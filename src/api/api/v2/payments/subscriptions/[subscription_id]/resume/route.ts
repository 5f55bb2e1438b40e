import { endpoint } from "../../../../../../contract/endpoint"
import { bare } from "../../../../../../contract/envelopes"
import { presentSubscription } from "../../present"

export const POST = endpoint(async ({ gateway, caller, params }) =>
  bare(presentSubscription(await gateway.subscriptions.resume(caller, params.subscription_id), caller))
)
