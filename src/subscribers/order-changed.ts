import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderEditWorkflowEvents, OrderWorkflowEvents } from "@medusajs/framework/utils"
import { ordersChanged, syncDueCaptures } from "../store/captures/sync-order-captures"
import { followOrderOf } from "../store/cash/settle"

/**
 * Reserved money and cash at the door follow the order. Only a shortcut, because the event bus persists nothing: the tasks
 * `sync-order-captures` and `follow-cash-orders` find the same.
 */
export default async function orderChanged({
  event,
  container,
}: SubscriberArgs<{ order_id?: string; id?: string }>): Promise<void> {
  const order_id = event.data.order_id ?? event.data.id
  if (order_id !== undefined) {
    await followOrderOf(container, order_id)
    await ordersChanged(container, [order_id])
    await syncDueCaptures(container)
  }
}

export const config: SubscriberConfig = {
  event: [
    OrderWorkflowEvents.FULFILLMENT_CREATED,
    OrderWorkflowEvents.FULFILLMENT_CANCELED,
    OrderWorkflowEvents.CANCELED,
    OrderWorkflowEvents.CLAIM_CREATED,
    OrderWorkflowEvents.EXCHANGE_CREATED,
    OrderWorkflowEvents.RETURN_RECEIVED,
    OrderEditWorkflowEvents.CONFIRMED,
  ],
}
