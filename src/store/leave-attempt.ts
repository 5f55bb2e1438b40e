import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../modules/gateway"
import type { PaymentOutcome } from "../modules/gateway/payments/records"
import type GatewayModuleService from "../modules/gateway/service"
import { afterPayment } from "./cart/after-payment"
import { pageUrl } from "./pay-checkout"

/** The shopper leaves the acquirer's page to pay in another way; an attempt that was paid meanwhile is settled. */
export async function leaveAttempt(
  container: MedusaContainer,
  input: { session_id: string; public_url?: string }
): Promise<PaymentOutcome> {
  const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const outcome = await gateway.inquiries.leave({ session_id: input.session_id, page_url: pageUrl(gateway, input) })
  return afterPayment(container, await gateway.transactions.bySession(input.session_id), outcome)
}
