import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { CustomerWorkflowEvents } from "@medusajs/framework/utils"
import { gatewayIn } from "../modules/gateway"

/**
 * What a deleted customer has saved is removed. Nobody else can use it, so an event that is lost with its process leaves
 * no danger; `deleteAccountHolder` of Medusa's payment module removes it as well.
 */
export default async function customerDeleted({ event, container }: SubscriberArgs<{ id: string }>): Promise<void> {
  const gateway = gatewayIn(container)
  const { environment, storeMerchantName } = gateway.options
  const { id: merchant_id } = await gateway.merchants.storeMerchant(storeMerchantName)
  await gateway.savedMethods.removeAll({ merchant_id, environment, store_customer_id: event.data.id })
}

export const config: SubscriberConfig = { event: CustomerWorkflowEvents.DELETED }
