import { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../modules/gateway"
import type GatewayModuleService from "../../modules/gateway/service"
import type { CartCompletion } from "../../modules/gateway/services/cart-completion"

/**
 * Makes the order of a paid cart, or answers the one that exists; null while there is none. It may be called by
 * anybody, any number of times at once: the `validate` hook lets one run at a time make the order.
 */
export async function completePaidCart(container: MedusaContainer, transaction_id: string): Promise<string | null> {
  const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const completion = await gateway.cartCompletions.find(transaction_id)
  if (completion === null || completion.state !== "waiting") {
    return completion?.order_id ?? null
  }
  try {
    const order_id = await runCompletion(container, completion)
    return (await gateway.cartCompletions.ordered(transaction_id, order_id)).order_id
  } catch (error) {
    const { message } = error as { message?: string }
    const after = await gateway.cartCompletions.failed(transaction_id, message ?? "unknown error")
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
    logger.warn(`gateway: no order yet for the paid cart ${completion.cart_id} (${transaction_id}): ${message}`)
    return after.order_id
  }
}

async function runCompletion(container: MedusaContainer, { cart_id }: CartCompletion): Promise<string> {
  const { result, errors } = await completeCartWorkflow(container).run({ input: { id: cart_id }, throwOnError: false })
  if (errors.length > 0) {
    throw errors[0].error
  }
  return result.id
}
