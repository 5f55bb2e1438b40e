import type { Facade } from "../../container"

/** Few, so that the lease of the claim outlasts its refunds. */
const BATCH = 16

/** Claim after claim, until nothing waits in any batch. */
export async function workOffRefundBatches(gateway: Facade): Promise<void> {
  while ((await gateway.refundBatches.workOff(BATCH)) > 0);
}
