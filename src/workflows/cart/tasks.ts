import { container } from "@medusajs/framework"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { DUE_WORK, DueWork } from "../../modules/gateway/kernel/due-work"
import type GatewayModuleService from "../../modules/gateway/service"
import type { CartCompletion } from "../../modules/gateway/checkout/cart-completions"
import { registerTask } from "../../modules/gateway/worker/tasks"
import { completePaidCart } from "./complete-paid-cart"
import { giveMoneyBack } from "./give-money-back"
import { notifyDuePaymentSessions } from "./notify-payment-session"

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

// Medusa loads every file of src/workflows before the worker starts.
registerTask("complete-paid-carts", (_, stop) => completeDuePaidCarts(container as MedusaContainer, stop))
registerTask("notify-payment-sessions", (_, stop) => notifyDuePaymentSessions(container as MedusaContainer, stop))
