import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import type GatewayModuleService from "../../modules/gateway/service"
import { planPurchaseOf } from "../../providers/gateway-payment/plan-lines"

/**
 * Writes down which subscriptions a cart's payment begins, and answers whether there are any. A cart that may not be
 * paid with what is in it now, or that would begin others than its payment page shows, is CART_CHANGED.
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
