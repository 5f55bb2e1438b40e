import type GatewayModuleService from "../../service"

export async function eraseRotatedSecrets(gateway: GatewayModuleService): Promise<void> {
  await gateway.webhookEndpoints.forgetPrevious()
}
