import { endpoint } from "../../../../../../v2-kit/endpoint"
import { bare } from "../../../../../../v2-kit/envelopes"
import { repeatable } from "../../../../../../v2-kit/idempotency"
import { presentSubscription } from "../../present"
import { readCancellation } from "../../schemas"

/** Cancels now, or at the end of the paid period (contract 4.6). */
export const POST = endpoint(async (context) => {
  const { gateway, caller, params, body } = context
  const row = await gateway.subscriptions.cancel(repeatable(context), params.subscription_id, readCancellation(body))
  return bare(presentSubscription(row, caller))
})
