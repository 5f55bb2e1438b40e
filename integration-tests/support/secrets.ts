import { sandboxVaultId } from "../../src/modules/gateway/kernel/ids"
import { SEALED } from "../../src/modules/gateway/kernel/sealed-columns"
import { secretBoxOf } from "../../src/modules/gateway/kernel/options"
import { gatewayOf } from "./api"
import type { Store } from "./store"

/** A kept instrument's token in plain text, which only the acquirer should ever see. */
export function tokenOf(store: Store, { id, token }: { id: string; token: string }): string {
  return secretBoxOf(gatewayOf(store).options).open(token, SEALED.instrumentToken, id)
}

/** Sets how the sandbox acquirer answers charges of these kept instruments from now on. */
export async function bankSays(
  store: Store,
  instruments: { id: string; token: string }[],
  outcome: string
): Promise<void> {
  const ids = instruments.map((instrument) => sandboxVaultId(tokenOf(store, instrument)))
  await store.db("gateway_sandbox_instrument").whereIn("id", ids).update({ outcome })
}
