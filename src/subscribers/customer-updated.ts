import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { CustomerWorkflowEvents } from "@medusajs/framework/utils"
import { followCustomer } from "../store/follow-customer"

/** Nothing finds what an event that is lost with its process has left: the next change of the account does. */
export default async function customerUpdated({ event, container }: SubscriberArgs<{ id: string }>): Promise<void> {
  await followCustomer(container, event.data.id)
}

export const config: SubscriberConfig = { event: CustomerWorkflowEvents.UPDATED }
