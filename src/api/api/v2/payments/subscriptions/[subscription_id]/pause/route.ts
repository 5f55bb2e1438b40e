import { endpoint } from "../../../../../../v2-kit/endpoint"
import { bare } from "../../../../../../v2-kit/envelopes"
import { presentSubscription } from "../../present"

export const POST = endpoint(async ({ gateway, caller, params }) =>
  bare(presentSubscription(await gateway.subscriptions.pause(caller, params.subscription_id), caller))
)
