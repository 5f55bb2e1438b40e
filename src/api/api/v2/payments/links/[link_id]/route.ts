import { endpoint } from "../../../../../v2-kit/endpoint"
import { envelope } from "../../../../../v2-kit/envelopes"
import { presentLink } from "../present"

export const GET = endpoint(async ({ gateway, caller, params, publicUrl }) => {
  const link = await gateway.paymentLinks.retrieve(caller, params.link_id)
  return envelope("Payment link", presentLink(link, caller.now, publicUrl))
})
