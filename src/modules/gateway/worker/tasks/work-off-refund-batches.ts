import type { Facade } from "../../container"

export async function workOffRefundBatches(gateway: Facade, stop?: AbortSignal): Promise<void> {
  await gateway.refundBatches.due.run({ stop })
}
