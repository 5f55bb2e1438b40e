import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../modules/gateway"
import type { Hint } from "../modules/gateway/payments/acquirers/port"
import type { PaymentOutcome, PaymentRecord } from "../modules/gateway/payments/records"
import type GatewayModuleService from "../modules/gateway/service"
import { afterPayment } from "./cart/after-payment"
import { pageUrl } from "./pay-checkout"

/**
 * An acquirer, or the browser that comes from it, has said something about an attempt: asks the acquirer, settles what
 * it answers, and makes the order of a cart that is paid now. `back`: the shopper has come back. Errors: TRANSACTION_NOT_FOUND.
 */
export async function followHint(
  container: MedusaContainer,
  input: { attempt_id: string; hint: Hint | null; back?: boolean; public_url?: string }
): Promise<{ record: PaymentRecord; outcome: PaymentOutcome }> {
  const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const record = await gateway.inquiries.hinted(input.attempt_id, input.hint, { back: input.back })
  const page = pageUrl(gateway, { session_id: record.session_id, public_url: input.public_url })
  const outcome = gateway.inquiries.outcome(record, page)
  return { record, outcome: await afterPayment(container, record, outcome) }
}
