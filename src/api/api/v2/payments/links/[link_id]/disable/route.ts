import { endpoint } from "../../../../../../v2-kit/endpoint"
import { envelope } from "../../../../../../v2-kit/envelopes"
import { repeatable } from "../../../../../../v2-kit/idempotency"
import { presentLink } from "../../present"

/** Nobody can pay the link any more; a payment that is under way goes on. */
export const POST = endpoint(async (context) => {
  const { gateway, caller, params, publicUrl } = context
  const link = await gateway.paymentLinks.disable(repeatable(context), params.link_id)
  return envelope("Payment link disabled", presentLink(link, caller.now, publicUrl))
})
