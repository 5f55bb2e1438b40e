import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../../modules/gateway"
import type GatewayModuleService from "../../modules/gateway/service"
import type { CartCompletion } from "../../modules/gateway/checkout/cart-completions"
import { completePaidCart } from "./complete-paid-cart"
import { giveMoneyBack } from "./give-money-back"

/** Few, so that each is done well within its claim. */
const BATCH = 10

/** Gives every paid cart that is due its order, or its money back. Any number of processes may run it. */
export async function completeDuePaidCarts(scope: MedusaContainer): Promise<void> {
  const gateway = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
  const claim = () => gateway.cartCompletions.claim(BATCH)
  for (let claimed = await claim(); claimed.length > 0; claimed = await claim()) {
    for (const completion of claimed) {
      try {
        await process(scope, completion)
      } catch (error) {
        logger.error(`gateway: the paid cart ${completion.cart_id} could not be seen to: ${(error as Error).message}`)
      }
    }
  }
}

async function process(scope: MedusaContainer, completion: CartCompletion): Promise<void> {
  if (completion.state === "giving_back") {
    await giveMoneyBack(scope, completion)
  } else {
    await completePaidCart(scope, completion.transaction_id)
  }
}
