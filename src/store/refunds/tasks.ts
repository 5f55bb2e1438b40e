import type { MedusaContainer } from "@medusajs/framework/types"
import { GATEWAY_MODULE } from "../../modules/gateway"
import type GatewayModuleService from "../../modules/gateway/service"
import { syncOrderRefund } from "./sync-order-refund"

/** Few, so that each is done well within its claim. */
const BATCH = 10

/** Brings the orders of what is due in line with the gateway's refunds. Any number of processes may run it. */
export async function showDueRefunds(scope: MedusaContainer): Promise<void> {
  const { orderRefunds } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  for (let claimed = await orderRefunds.claim(BATCH); claimed.length > 0; claimed = await orderRefunds.claim(BATCH)) {
    for (const claim of claimed) {
      await syncOrderRefund(scope, claim)
    }
  }
}

/** Shows one refund now, unless somebody is at it. */
export async function showRefundNow(scope: MedusaContainer, refund_id: string): Promise<void> {
  const { orderRefunds } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const [claim] = await orderRefunds.claim(1, { refund_id })
  if (claim !== undefined) {
    await syncOrderRefund(scope, claim)
  }
}
