import { createHash } from "node:crypto"
import { retryAfter } from "../../../modules/gateway/domain/abuse-limits"
import { countedNetwork } from "../../../modules/gateway/domain/ip"
import type GatewayModuleService from "../../../modules/gateway/service"

/** A request as it is counted: from where, about which checkout or invoice (null: none), and what it asks for. */
export type Counted = { address: string; about: string | null; isForm?: boolean; isPdf?: boolean }

/**
 * Counts a request of an anonymous visitor, and says in how many seconds it may be made again when it is one too many;
 * null: it may be answered. The address is counted first, so that nobody uses up a checkout's requests from an address
 * that is refused already.
 */
export async function secondsToWait(gateway: GatewayModuleService, counted: Counted): Promise<number | null> {
  for (const [bucket, limit] of bucketsOf(gateway, counted)) {
    const reading = limit === 0 ? null : await gateway.rateLimits.take(bucket, limit)
    if (reading !== null && !reading.allowed) {
      return retryAfter(reading)
    }
  }
  return null
}

function bucketsOf({ options: { pageLimits } }: GatewayModuleService, { address, about, isForm, isPdf }: Counted): [string, number][] {
  const from = countedNetwork(address)
  const buckets: [string, number][] = [[`page:from:${from}`, pageLimits.address]]
  if (isForm) {
    buckets.push([`page:forms:from:${from}`, pageLimits.addressForms])
  }
  if (about !== null) {
    // The id of a checkout, and the token of an invoice, are all that is needed to see it: Redis holds their hash.
    const id = createHash("sha256").update(about).digest("base64url")
    buckets.push([`page:${id}`, pageLimits.session])
    if (isForm) {
      buckets.push([`page:forms:${id}`, pageLimits.sessionForms])
    }
    if (isPdf) {
      buckets.push([`page:pdf:${id}`, pageLimits.pdf])
    }
  }
  return buckets
}
