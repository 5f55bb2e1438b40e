import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../modules/gateway"
import type { PaymentRecord } from "../modules/gateway/payments/records"
import type { TransactionStatus } from "../modules/gateway/payments/states"
import type GatewayModuleService from "../modules/gateway/service"
import { afterPayment } from "./cart/after-payment"
import { pageUrl } from "./pay-checkout"

/** An admin has decided what became of a payment: its cart has its order, or its payment session knows why not. */
export async function afterDecision(
  container: MedusaContainer,
  record: PaymentRecord
): Promise<{ id: string; status: TransactionStatus }> {
  const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const outcome = gateway.inquiries.outcome(record, pageUrl(gateway, record))
  const { status } = await afterPayment(container, record, outcome)
  return { id: record.transaction_id, status }
}
