import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { cancelCashOrderOf } from "../store/cash/settle"

/** No courier brings cash for an order that the store has cancelled. */
export default async function orderCancelled({ event, container }: SubscriberArgs<{ id: string }>): Promise<void> {
  await cancelCashOrderOf(container, event.data.id)
}

export const config: SubscriberConfig = { event: "order.canceled" }
