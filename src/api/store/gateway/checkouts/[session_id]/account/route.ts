import { publicUrlOf } from "../../../../../v2-kit/target"
import { shopperEndpoint } from "../../../subscriptions/resource"

/**
 * Lets the signed-in customer's browser use what the customer has saved on a checkout of their own. The storefront posts
 * `proof` to `action` with a form, which leads the browser to the payment page. 404 SESSION_NOT_FOUND for other checkouts.
 */
export const POST = shopperEndpoint(async ({ gateway, owner, request }) => {
  const { session_id } = request.params
  const { proof, seconds } = await gateway.accountAccess.issue(owner, session_id)
  const action = `${publicUrlOf(gateway, request)}/pay/${session_id}/account`
  return { action, proof, expires_in: seconds }
})
