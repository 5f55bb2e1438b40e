import type { Facade } from "../../container"

/** Until nothing is left to fold, or another process is at it. */
export async function foldCounters(gateway: Facade, stop?: AbortSignal): Promise<void> {
  while (!stop?.aborted && (await gateway.counters.fold()) > 0);
}
