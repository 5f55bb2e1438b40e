import type { TransactionStatus } from "../../../modules/gateway/payments/states"
import type GatewayModuleService from "../../../modules/gateway/service"
import type { RemotePayment } from "../../../modules/gateway/payments/remote-payments"
import type { RemoteGateway } from "./client"
import { demand } from "./demand"
import { statusOf } from "./session"

export type Asking = { gateway: GatewayModuleService; remote: RemoteGateway }

/** Asks the other deployment for the current status of a checkout. Throws when it stays unknown. */
export async function askStatus({ gateway, remote }: Asking, payment: RemotePayment): Promise<TransactionStatus> {
  const status = statusOf(payment, demand(await remote.verify(payment.transaction_id), "payment"))
  await gateway.remotePayments.answered(payment.id, status)
  return status
}
