import type GatewayModuleService from "../../service"

export async function purgeSandbox(gateway: GatewayModuleService): Promise<void> {
  await gateway.sandboxPurge.run()
}
