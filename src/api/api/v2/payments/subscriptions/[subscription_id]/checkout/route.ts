import { GatewayError } from "../../../../../../../modules/gateway/kernel/errors"
import { endpoint } from "../../../../../../v2-kit/endpoint"
import { presentCheckout } from "../../../checkout/present"
import { readSubscriptionCheckout } from "../../schemas"

/** Opens a checkout for the open period (contract 4.6). */
export const POST = endpoint(async ({ gateway, caller, params, body, publicUrl, claim }) => {
  if (!(await gateway.hasAcquirer(caller))) {
    throw new GatewayError("SERVICE_NOT_ENABLED")
  }
  const request = readSubscriptionCheckout(body, gateway.options.allowPrivateUrls)
  const opened = await gateway.subscriptionCheckouts.open(caller, params.subscription_id, request, {
    publicUrl,
    idempotency_id: claim?.id,
  })
  return presentCheckout(opened, publicUrl)
})
