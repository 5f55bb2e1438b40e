import type { Facade } from "../../container"

/** Abandoned charges that one transaction hands over. */
const BATCH = 50

export async function reconcilePayments(gateway: Facade, stop?: AbortSignal): Promise<void> {
  await gateway.abandonedCharges.handOver(BATCH)
  await gateway.reconciliation.due.run({ stop })
  await gateway.surplus.due.run({ stop })
}
