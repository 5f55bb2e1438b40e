import type GatewayModuleService from "../../service"

const BATCH = 50

export async function reconcileRefunds(gateway: GatewayModuleService): Promise<void> {
  await gateway.refundReconciliation.run(BATCH)
}
