import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { gatewayIn } from "../modules/gateway"
import { numberOf, readBalance } from "../store/balance/outstanding"
import { completePaidCart } from "../store/cart/complete-paid-cart"
import { cancelCheckout, confirmCheckout, followHint, leaveAttempt, payCheckout } from "../store/checkout"
import type { ProcessServices } from "./process-services"

/** What a store's process gives to its operations and pages: the store's work is done here, at once. */
export function servicesOf(scope: MedusaContainer): ProcessServices {
  const gateway = gatewayIn(scope)
  return {
    gateway,
    logger: scope.resolve(ContainerRegistrationKeys.LOGGER),
    storeCors: scope.resolve(ContainerRegistrationKeys.CONFIG_MODULE).projectConfig.http.storeCors,
    store: {
      pay: (input) => payCheckout(scope, input),
      cancel: (input) => cancelCheckout(scope, input),
      leave: (input) => leaveAttempt(scope, input),
      confirm: (input) => confirmCheckout(scope, input),
      balanceOf: async (order_id) => {
        const found = await readBalance(scope, order_id)
        return found === null || found.isCancelled ? null : { due: found.due, number: numberOf(found.order) }
      },
      followHint: (input) => followHint(scope, input),
      completeCart: async (transaction_id) =>
        void (await completePaidCart(scope, transaction_id, { onlyUntried: true })),
      moveClock: (tenant, move) => gateway.clock.move(tenant, move),
    },
  }
}
