import { endpoint } from "../../../../../../v2-kit/endpoint"
import { envelope } from "../../../../../../v2-kit/envelopes"
import { presentLink } from "../../present"

/** Nobody can pay the link any more; a payment that is under way goes on. */
export const POST = endpoint(async ({ gateway, caller, params, publicUrl }) => {
  const link = await gateway.paymentLinks.disable(caller, params.link_id)
  return envelope("Payment link disabled", presentLink(link, caller.now, publicUrl))
})
