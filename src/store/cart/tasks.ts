import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { DUE_WORK, DueWork } from "../../modules/gateway/kernel/due-work"
import type GatewayModuleService from "../../modules/gateway/service"
import type { CartCompletion } from "../../modules/gateway/checkout/cart-completions"
import { completePaidCart } from "./complete-paid-cart"
import { giveMoneyBack } from "./give-money-back"

/** Gives every paid cart that is due its order, or its money back. Any number of processes may run it. */
export async function completeDuePaidCarts(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { cartCompletions } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const due = new DueWork<CartCompletion>(scope.resolve(ContainerRegistrationKeys.LOGGER), DUE_WORK.paidCart, {
    id: ({ cart_id }) => cart_id,
    claim: (limit, lease) => cartCompletions.claim(limit, lease),
    work: (completion) => process(scope, completion),
  })
  await due.run({ stop })
}

async function process(scope: MedusaContainer, completion: CartCompletion): Promise<void> {
  if (completion.state === "giving_back") {
    await giveMoneyBack(scope, completion)
  } else {
    await completePaidCart(scope, completion.transaction_id)
  }
}
