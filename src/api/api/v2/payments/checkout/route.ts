import { endpoint } from "../../../../v2-kit/endpoint"
import { presentCheckout } from "./present"
import { readCheckoutOrder } from "./schemas"

/** Creates a checkout session (contract 4.2), or returns the open one of a repeated order (docs/decisions/0051). */
export const POST = endpoint(async ({ gateway, caller, body, publicUrl, claim }) => {
  const order = await readCheckoutOrder(gateway, caller, body)
  const created = await gateway.checkouts.create(caller, order, {
    idempotency_id: claim?.id,
    repeatable: caller.shop_modules,
  })
  return presentCheckout(created, publicUrl)
})
