import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { DUE_WORK, DueWork } from "../../modules/gateway/kernel/due-work"
import type { ClaimedOrderRefund } from "../../modules/gateway/refunds/orders/service"
import type GatewayModuleService from "../../modules/gateway/service"
import { syncOrderRefund } from "./sync-order-refund"

/** Brings the orders of what is due in line with the gateway's refunds. Any number of processes may run it. */
export async function syncDueRefunds(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  await dueRefunds(scope).run({ stop })
}

/** Shows one refund now, unless another process does it at this moment. */
export async function syncRefundNow(scope: MedusaContainer, refund_id: string): Promise<void> {
  await dueRefunds(scope).run({ most: 1, only: { refund_id } })
}

function dueRefunds(scope: MedusaContainer): DueWork<ClaimedOrderRefund, { refund_id: string }> {
  const { orderRefunds } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  return new DueWork(scope.resolve(ContainerRegistrationKeys.LOGGER), DUE_WORK.orderRefund, {
    id: ({ refund_id }) => refund_id,
    claim: (limit, lease, only) => orderRefunds.claim(limit, lease, only),
    work: (claim) => syncOrderRefund(scope, claim),
    failures: ({ attempts }) => attempts,
    failed: (claim, failure) => orderRefunds.failed(claim, failure),
  })
}
