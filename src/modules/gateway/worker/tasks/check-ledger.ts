import type { Facade } from "../../container"

/** Longer than a few missed runs, and than any transaction takes to commit. */
const RECENT_MS = 15 * 60_000

/** What has moved lately must add up; what does not is in the log as an error. */
export async function checkRecentLedger(gateway: Facade): Promise<void> {
  await gateway.invariants.watch(new Date(Date.now() - RECENT_MS))
}

/** Everything there is must add up. */
export async function checkWholeLedger(gateway: Facade): Promise<void> {
  await gateway.invariants.watch(null)
}
