import type GatewayModuleService from "../../modules/gateway/service"
import { hashApiKey } from "../../modules/gateway/kernel/ids"
import type { Caller } from "../../modules/gateway/kernel/types"
import type { LookUp } from "./authenticate"
import { isAddressLimited } from "./rate-limit"

/** So many of the keys that were good are remembered; a server sees few merchants at a time. */
const MOST = 10_000
/** Hashes of keys, the one used longest ago first. Being here admits nobody: the database still says whose key it is. */
const known = new Set<string>()

/**
 * Looks a key up, but not an unknown one's from an address that has used up its requests: guessing keys must not cost
 * a query each. A key that was good before is looked up all the same, so nobody is limited by what others send from
 * his address. What is not looked up is null, a void key: the caller counts and refuses it as such.
 */
export function sparingLookUp<As extends Caller>(
  gateway: GatewayModuleService,
  address: string,
  lookUp: LookUp<As>
): LookUp<As> {
  return async (key, real) => {
    const hash = hashApiKey(key)
    if (!known.has(hash) && (await isAddressLimited(gateway, address))) {
      return null
    }
    const caller = await lookUp(key, real)
    known.delete(hash)
    if (caller !== null) {
      remember(hash)
    }
    return caller
  }
}

function remember(hash: string): void {
  known.add(hash)
  if (known.size > MOST) {
    known.delete(known.values().next().value as string)
  }
}
