import type { Facade } from "../../container"

export async function purgeEvents(gateway: Facade): Promise<void> {
  await gateway.events.purge()
}
