import { portalUrl } from "../../../../modules/gateway/portal/rules"
import { publicUrlOf } from "../../../v2-kit/target"
import { readReturnUrl, shopperEndpoint } from "../subscriptions/resource"

/** A link to the portal for the signed-in customer: what they own by their account of the store. */
export const POST = shopperEndpoint(async (context) => {
  const { gateway, owner, request } = context
  const return_url = readReturnUrl(context)
  const { store_customer_id } = owner
  const { token, expires_at } = await gateway.portalSessions.createForStore(owner, { store_customer_id, return_url })
  return { url: portalUrl(publicUrlOf(gateway, request), token), expires_at }
})
