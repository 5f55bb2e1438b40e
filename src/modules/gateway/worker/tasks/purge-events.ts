import type GatewayModuleService from "../../service"

export async function purgeEvents(gateway: GatewayModuleService): Promise<void> {
  await gateway.events.purge()
}
