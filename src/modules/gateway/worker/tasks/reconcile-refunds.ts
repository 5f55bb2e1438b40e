import type { Facade } from "../../container"

const BATCH = 50

export async function reconcileRefunds(gateway: Facade): Promise<void> {
  await gateway.refundReconciliation.run(BATCH)
}
