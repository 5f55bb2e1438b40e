import type GatewayModuleService from "../../service"

export async function purgeRequestLog(gateway: GatewayModuleService): Promise<void> {
  await gateway.requestLog.purge()
}
