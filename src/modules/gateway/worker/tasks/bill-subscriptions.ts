import type { Facade } from "../../container"

const BATCH = 250
/** While one batch waits for the database, another is charged. */
const AT_ONCE = 2

let running: Promise<void> | null = null

/**
 * Batch after batch until nothing is due; a run that is still going on in this process is enough. It is no DueWork of
 * the kernel: its statements write a whole batch at once, and one subscription each would cost several times as much.
 */
export async function billSubscriptions(gateway: Facade, stop?: AbortSignal): Promise<void> {
  running ??= Promise.all(Array.from({ length: AT_ONCE }, () => billBatches(gateway, stop)))
    .then(() => undefined)
    .finally(() => {
      running = null
    })
  await running
}

async function billBatches(gateway: Facade, stop?: AbortSignal): Promise<void> {
  while (stop?.aborted !== true && (await gateway.billing.run(BATCH)) > 0);
}
