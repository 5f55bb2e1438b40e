import { endpoint } from "../../../../../../v2-kit/endpoint"
import { bare } from "../../../../../../v2-kit/envelopes"
import { repeatable } from "../../../../../../v2-kit/idempotency"
import { presentSubscription } from "../../present"

export const POST = endpoint(async (context) => {
  const { gateway, caller, params } = context
  return bare(
    presentSubscription(await gateway.subscriptions.pause(repeatable(context), params.subscription_id), caller)
  )
})
