import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderWorkflowEvents } from "@medusajs/framework/utils"
import { processReturns } from "../store/returns/tasks"

/** The event bus keeps nothing, so this is only the quick way: the task `process-returns` finds the same by itself. */
export default async function goodsReturned({ container }: SubscriberArgs<unknown>): Promise<void> {
  await processReturns(container)
}

export const config: SubscriberConfig = {
  event: [OrderWorkflowEvents.RETURN_RECEIVED, OrderWorkflowEvents.CLAIM_CREATED, OrderWorkflowEvents.CANCELED],
}
