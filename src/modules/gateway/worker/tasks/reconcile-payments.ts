import type { Facade } from "../../container"

const BATCH = 50

export async function reconcilePayments(gateway: Facade): Promise<void> {
  await gateway.abandonedCharges.handOver(BATCH)
  await gateway.reconciliation.run(BATCH)
}
