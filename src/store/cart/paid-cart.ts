import { randomUUID } from "node:crypto"
import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../../modules/gateway"
import type { CartCompletion } from "../../modules/gateway/checkout/cart-completions"
import type GatewayModuleService from "../../modules/gateway/service"

/** A paid cart with what pays it, here or in another deployment. */
export type PaidCart = Pick<CartCompletion, "cart_id" | "transaction_id" | "payment_session_id">

/** Runs `work` with the right to make the cart's order; null, without running it, while another run has that right. */
export type RightToMake = <Result>(work: () => Promise<Result>) => Promise<Result | null>

/** The right that a row of the gateway grants, across all processes (docs/decisions/0014). */
export function rightByRow(container: MedusaContainer, transaction_id: string): RightToMake {
  const { cartCompletions } = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  return async (work) => {
    const token = randomUUID()
    if (!(await cartCompletions.lock(transaction_id, token))) {
      return null
    }
    try {
      return await work()
    } finally {
      await cartCompletions.unlock(transaction_id, token)
    }
  }
}
