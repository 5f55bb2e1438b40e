import type { Facade } from "../../container"

/** Until nothing is left to fold, or another process is at it. */
export async function foldTallies(gateway: Facade, stop?: AbortSignal): Promise<void> {
  while (!stop?.aborted && (await gateway.tallies.fold()) > 0);
}
