import type { Facade } from "../../container"

const BATCH = 500

/** Batch after batch: a backlog of any size needs no long transaction. */
export async function expireSessions(gateway: Facade): Promise<void> {
  while ((await gateway.transactions.expireDue(BATCH)) === BATCH);
}
