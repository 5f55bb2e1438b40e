import type { Facade } from "../../container"

export async function purgeIdempotencyKeys(gateway: Facade): Promise<void> {
  await gateway.idempotency.purge()
}
