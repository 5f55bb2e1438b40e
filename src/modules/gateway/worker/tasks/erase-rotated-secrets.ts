import type { Facade } from "../../container"

export async function eraseRotatedSecrets(gateway: Facade): Promise<void> {
  await gateway.webhookEndpoints.forgetPrevious()
}
