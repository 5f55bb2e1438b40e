import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../modules/gateway"
import type { PaymentOutcome } from "../modules/gateway/payments/records"
import type GatewayModuleService from "../modules/gateway/service"
import { afterPayment } from "./cart/after-payment"
import { pageUrl } from "./pay-checkout"

/** The shopper gives up before paying, on the hosted page or through the sandbox helper. */
export async function cancelCheckout(
  container: MedusaContainer,
  input: { session_id: string; public_url?: string }
): Promise<PaymentOutcome> {
  const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const outcome = await gateway.payments.cancel({ session_id: input.session_id, page_url: pageUrl(gateway, input) })
  return afterPayment(container, await gateway.transactions.bySession(input.session_id), outcome)
}
