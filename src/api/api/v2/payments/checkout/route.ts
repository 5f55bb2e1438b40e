import { endpoint } from "../../../../v2-kit/endpoint"
import { presentCheckout } from "./present"
import { readCheckoutOrder } from "./schemas"

/** Creates a checkout session (contract 4.2). */
export const POST = endpoint(async ({ gateway, caller, body, publicUrl, claim }) => {
  const order = await readCheckoutOrder(gateway, caller, body)
  const created = await gateway.checkouts.create(caller, order, { idempotency_id: claim?.id })
  return presentCheckout(created, publicUrl)
})
