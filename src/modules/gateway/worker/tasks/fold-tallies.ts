import type GatewayModuleService from "../../service"

/** Until nothing is left to fold, or another process is at it. */
export async function foldTallies(gateway: GatewayModuleService, stop?: AbortSignal): Promise<void> {
  while (!stop?.aborted && (await gateway.tallies.fold()) > 0);
}
