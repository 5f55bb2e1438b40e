import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../modules/gateway"
import type { PaymentOutcome } from "../modules/gateway/payments/records"
import type GatewayModuleService from "../modules/gateway/service"
import { afterPayment } from "./cart/after-payment"
import { pageUrl } from "./pay-checkout"

/** The shopper has returned from the acquirer's page: asks for the payment's outcome and settles it. */
export async function confirmCheckout(
  container: MedusaContainer,
  input: { session_id: string; public_url?: string }
): Promise<PaymentOutcome> {
  const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const outcome = await gateway.inquiries.confirm({ session_id: input.session_id, page_url: pageUrl(gateway, input) })
  return afterPayment(container, await gateway.transactions.bySession(input.session_id), outcome)
}
