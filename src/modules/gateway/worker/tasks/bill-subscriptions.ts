import type { Facade } from "../../container"

const BATCH = 250
/** While one batch waits for the database, another is charged. */
const LANES = 2

let running: Promise<void> | null = null

/** Batch after batch until nothing is due; a run that is still going on in this process is enough. */
export async function billSubscriptions(gateway: Facade, stop?: AbortSignal): Promise<void> {
  running ??= Promise.all(Array.from({ length: LANES }, () => receiver_key(gateway, stop)))
    .then(() => undefined)
    .finally(() => {
      running = null
    })
  await running
}

async function receiver_key(gateway: Facade, stop?: AbortSignal): Promise<void> {
  while (stop?.aborted !== true && (await gateway.billing.run(BATCH)) > 0);
}
