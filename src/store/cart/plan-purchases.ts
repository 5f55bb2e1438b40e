import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import type GatewayModuleService from "../../modules/gateway/service"
import { planPurchaseOf } from "../../providers/gateway-payment/plan-lines"

/**
 * Records which subscriptions a cart's payment begins, and answers whether there are any. CART_CHANGED when the cart's
 * contents may not be paid now, or would begin other subscriptions than the payment page shows.
 */
export async function planPurchases(container: MedusaContainer, record: PaymentRecord): Promise<boolean> {
  const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const purchase = await planPurchaseOf(query, gateway, record, record.cart_id ?? "").catch((error: unknown) => {
    if (GatewayError.is(error)) {
      throw new GatewayError("CART_CHANGED", messageOf("refusal.cart_changed_since", { what: error.reason }))
    }
    throw error
  })
  await gateway.storePurchases.confirm(record, record.transaction_id, purchase)
  return purchase !== null
}
