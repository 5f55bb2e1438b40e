import type GatewayModuleService from "../../service"

export async function purgeIdempotencyKeys(gateway: GatewayModuleService): Promise<void> {
  await gateway.idempotency.purge()
}
