import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderEditWorkflowEvents, OrderWorkflowEvents } from "@medusajs/framework/utils"
import { processReturns } from "../store/returns/propose"

/** Only a shortcut, because the event bus persists nothing: the task `process-returns` finds the same. */
export default async function goodsReturned({ container }: SubscriberArgs<unknown>): Promise<void> {
  await processReturns(container)
}

export const config: SubscriberConfig = {
  event: [
    OrderWorkflowEvents.RETURN_RECEIVED,
    OrderWorkflowEvents.CLAIM_CREATED,
    OrderWorkflowEvents.CANCELED,
    OrderEditWorkflowEvents.CONFIRMED,
  ],
}
