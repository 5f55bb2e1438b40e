import type { Gateway } from "../../modules/gateway/container"
import type { Caller } from "../../modules/gateway/kernel/types"
import type { LookUp } from "./authenticate"
import { isAddressLimited } from "./rate-limit"

/** The number of valid keys to remember; a server sees few merchants at a time. */
const MOST = 10_000
/**
 * Hashes of keys, the least recently used first. Being listed admits nobody: the database still decides about the key.
 */
const known = new Set<string>()

/**
 * Looks a key up, except an unknown one from an address that has used up its requests: guessing keys must not cost a
 * query each. A key that was valid before is always looked up, so that nobody is limited by other requests from the
 * same address. A key that is not looked up counts as invalid (null): the caller counts and refuses it as such.
 */
export function sparingLookUp<As extends Caller>(gateway: Gateway, address: string, lookUp: LookUp<As>): LookUp<As> {
  return async (hash, real) => {
    if (!known.has(hash) && (await isAddressLimited(gateway, address))) {
      return null
    }
    const caller = await lookUp(hash, real)
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
