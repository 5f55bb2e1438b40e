import type { Facade } from "../../container"

/** Until nothing is left to fold, or while another process folds. */
export async function foldCounters(gateway: Facade, stop?: AbortSignal): Promise<void> {
  while (!stop?.aborted && (await gateway.counters.fold()) > 0);
}
