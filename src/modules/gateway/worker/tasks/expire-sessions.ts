import type { Facade } from "../../container"

const BATCH = 500

/**
 * Batch after batch, so that a backlog of any size is done without one long transaction. It needs no lease: ending a
 * session talks to nobody outside, so claim and work are one transaction.
 */
export async function expireSessions(gateway: Facade, stop?: AbortSignal): Promise<void> {
  while (stop?.aborted !== true && (await gateway.transactions.expireDue(BATCH)) === BATCH);
}
