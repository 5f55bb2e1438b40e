import type { Facade } from "../../container"

export async function reconcileRefunds(gateway: Facade, stop?: AbortSignal): Promise<void> {
  await gateway.refundReconciliation.due.run({ stop })
}
