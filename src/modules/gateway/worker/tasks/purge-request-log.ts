import type { Facade } from "../../container"

export async function purgeRequestLog(gateway: Facade): Promise<void> {
  await gateway.requestLog.purge()
}
