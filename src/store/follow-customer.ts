import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { gatewayIn } from "../modules/gateway"
import { billed, type Person } from "../providers/gateway-payment/plan-lines"

/**
 * Who is billed for the store's subscriptions gets the name, address and phone of the account. What was issued keeps its
 * own. The next purchase of the account finds the same customer, by the new address.
 */
export async function followCustomer(container: MedusaContainer, id: string): Promise<void> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = ["id", "has_account", "email", "first_name", "last_name", "phone"]
  const { data } = await query.graph({ entity: "customer", fields, filters: { id } })
  const person = data[0] as unknown as Person | undefined
  if (person === undefined) {
    return
  }
  const gateway = gatewayIn(container)
  const { environment, storeMerchantName } = gateway.options
  const { id: merchant_id } = await gateway.merchants.storeMerchant(storeMerchantName)
  const { now } = await gateway.clock.read({ merchant_id, environment })
  const { name, email, phone, phone_e164 } = billed(person, null)
  const kept = await gateway.customers.follow(
    { merchant_id, environment, now, actor: { type: "system", id: "store" } },
    person.id,
    { name, email, ...(phone === null ? {} : { phone, phone_e164 }) }
  )
  for (const { uuid } of kept) {
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
    logger.warn(
      `gateway: customer ${uuid} keeps the e-mail address it has: the new one of the store's customer ${person.id} is another customer's`
    )
  }
}
