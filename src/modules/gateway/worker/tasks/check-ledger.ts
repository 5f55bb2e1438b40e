import type { Facade } from "../../container"

/** Longer than a few missed runs, and longer than any transaction takes to commit. */
const RECENT_MS = 15 * 60_000

/** Checks what the ledger has moved lately; a violation is logged as an error. */
export async function checkRecentLedger(gateway: Facade): Promise<void> {
  await gateway.invariants.watch(new Date(Date.now() - RECENT_MS))
}

/** Checks everything. */
export async function checkWholeLedger(gateway: Facade): Promise<void> {
  await gateway.invariants.watch(null)
}
