import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { gatewayIn } from "../modules/gateway"
import { acknowledgeOrder } from "../store/cart/complete-paid-cart"
import { beginFreePlans } from "../store/cart/free-plans"
import { settleCashOrdersOf } from "../store/cash/settle"

/**
 * A storefront may complete a paid cart itself. The event bus keeps nothing, so this is only the quick way: the task
 * `complete-paid-carts` finds the order as well, and for a cart that waits for an admin, the shopper's return finds it.
 */
export default async function orderPlaced({ event, container }: SubscriberArgs<{ id: string }>): Promise<void> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "order_cart",
    fields: ["cart_id"],
    filters: { order_id: event.data.id },
  })
  const cart_id: string | undefined = data[0]?.cart_id
  const gateway = gatewayIn(container)
  const completions = cart_id === undefined ? [] : await gateway.cartCompletions.findUnordered(cart_id)
  for (const completion of completions) {
    await acknowledgeOrder(container, completion, event.data.id, { isMade: true })
  }
  if (cart_id !== undefined) {
    await settleCashOrdersOf(container, cart_id)
    await beginFreePlans(container, cart_id)
  }
}

export const config: SubscriberConfig = { event: "order.placed" }
