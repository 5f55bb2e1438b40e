import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderEditWorkflowEvents, OrderWorkflowEvents } from "@medusajs/framework/utils"
import { followOrderOf } from "../store/cash/settle"

/**
 * A courier brings no cash for a cancelled order, and less for one that has become cheaper. Only a shortcut, because the
 * event bus persists nothing: the task `follow-cash-orders` finds the same.
 */
export default async function cashOrderChanged({
  event,
  container,
}: SubscriberArgs<{ order_id?: string; id?: string }>): Promise<void> {
  const order_id = event.data.order_id ?? event.data.id
  if (order_id !== undefined) {
    await followOrderOf(container, order_id)
  }
}

export const config: SubscriberConfig = {
  event: [OrderWorkflowEvents.CANCELED, OrderWorkflowEvents.RETURN_RECEIVED, OrderEditWorkflowEvents.CONFIRMED],
}
