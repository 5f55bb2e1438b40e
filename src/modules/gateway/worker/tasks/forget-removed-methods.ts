import type { Facade } from "../../container"

export async function forgetRemovedMethods(gateway: Facade, stop?: AbortSignal): Promise<void> {
  await gateway.forgetting.run({ stop })
}
