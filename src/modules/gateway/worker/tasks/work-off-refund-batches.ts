import type { Facade } from "../../container"

/** Few, so that the first claim's lease does not run out before its last refund is carried out. */
const BATCH = 16

/** Claim after claim, until nothing waits in any batch. */
export async function workOffRefundBatches(gateway: Facade): Promise<void> {
  while ((await gateway.refundBatches.workOff(BATCH)) > 0);
}
