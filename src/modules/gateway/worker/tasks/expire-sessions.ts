import type { Facade } from "../../container"

const BATCH = 500

/** Batch after batch, so that a backlog of any size is done without one long transaction. */
export async function expireSessions(gateway: Facade): Promise<void> {
  while ((await gateway.transactions.expireDue(BATCH)) === BATCH);
}
