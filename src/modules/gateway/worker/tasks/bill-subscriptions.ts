import type { Facade } from "../../container"

const BATCH = 250
/** Batches at once: one is charged while another waits for the database. */
const CONCURRENT_BATCHES = 2

let running: Promise<void> | null = null

/** Runs batch after batch until nothing is due; does nothing while another run is active in this process. */
export async function billSubscriptions(gateway: Facade, stop?: AbortSignal): Promise<void> {
  running ??= Promise.all(Array.from({ length: CONCURRENT_BATCHES }, () => billUntilNothingIsDue(gateway, stop)))
    .then(() => undefined)
    .finally(() => {
      running = null
    })
  await running
}

async function billUntilNothingIsDue(gateway: Facade, stop?: AbortSignal): Promise<void> {
  while (stop?.aborted !== true && (await gateway.billing.run(BATCH)) > 0);
}
