import type GatewayModuleService from "../../service"

const BATCH = 50

export async function reconcilePayments(gateway: GatewayModuleService): Promise<void> {
  await gateway.abandonedCharges.handOver(BATCH)
  await gateway.reconciliation.run(BATCH)
}
