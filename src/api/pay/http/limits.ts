import { createHash } from "node:crypto"
import { retryAfter } from "../../../modules/gateway/kernel/http/abuse-limits"
import { countedNetwork } from "../../../modules/gateway/kernel/http/ip"
import { LIMITS } from "../../../modules/gateway/kernel/limits"
import type { Gateway } from "../../../modules/gateway/container"

/**
 * A request to count: its address, its checkout, invoice or link (null: none), and its kind. `isShared`: many may visit
 * it, such as a payment link, so that each network has its own limits there and nobody closes it for the others.
 */
export type Counted = {
  address: string
  about: string | null
  isForm?: boolean
  isPdf?: boolean
  isShared?: boolean
}

/**
 * Counts an anonymous visitor's request. Returns the seconds to wait when it is over a limit; null: it may be answered.
 * The address is counted first, so that a refused address cannot use up a checkout's requests.
 */
export async function secondsToWait(gateway: Gateway, counted: Counted): Promise<number | null> {
  for (const [bucket, limit] of bucketsOf(gateway, counted)) {
    const reading = limit === 0 ? null : await gateway.rateLimits.take(bucket, limit)
    if (reading !== null && !reading.allowed) {
      return retryAfter(reading)
    }
  }
  return null
}

function bucketsOf(
  { options: { pageLimits } }: Gateway,
  { address, about, isForm, isPdf, isShared }: Counted
): [string, number][] {
  const from = countedNetwork(address)
  const buckets: [string, number][] = [[`page:from:${from}`, pageLimits.address]]
  if (isForm) {
    buckets.push([`page:forms:from:${from}`, pageLimits.addressForms])
  }
  if (about !== null) {
    const id = nameOf(isShared ? `${about} ${from}` : about)
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

/** The id of a checkout and the token of an invoice or link grant access: Redis holds only their hash. */
function nameOf(about: string): string {
  return createHash("sha256").update(about).digest("base64url")
}

/**
 * Asks the acquirer about a checkout for a returning browser, because anybody can load that address again and again. At
 * most once per interval and never twice at once, across all processes. A request that comes too early gets the seconds
 * to wait.
 */
export async function atMostOncePerInterval<Answer>(
  gateway: Gateway,
  session_id: string,
  ask: () => Promise<Answer>
): Promise<Answer | { seconds: number }> {
  const { returnSeconds } = gateway.options.pageLimits
  if (returnSeconds === 0) {
    return ask()
  }
  const bucket = `return:${nameOf(session_id)}`
  const turn = await gateway.rateLimits.take(bucket, 1, LIMITS.acquirerCallSeconds + returnSeconds)
  if (!turn.allowed) {
    return { seconds: Math.min(returnSeconds, retryAfter(turn)) }
  }
  try {
    return await ask()
  } finally {
    await gateway.rateLimits.hold(bucket, returnSeconds)
  }
}
