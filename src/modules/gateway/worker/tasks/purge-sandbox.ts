import type { Facade } from "../../container"

export async function purgeSandbox(gateway: Facade): Promise<void> {
  await gateway.sandboxPurge.run()
}
