import { LIMITS } from "../../../modules/gateway/kernel/limits"
import type { ParsedRemoteOptions } from "./options"

/**
 * The share of a key's requests per minute that is reserved for checkouts and for payments that are known to be made.
 */
const RESERVED_SHARE = 0.5

/** The share that one run of the task may use; it runs every minute. */
const TASK_SHARE = 0.25

/** What this process knows about its key's remaining requests in the other deployment (contract 8). */
export class Quota {
  private limit = 0
  private remaining = 0
  private resetAt = 0

  /** Whether requests that anybody can trigger have to wait. An unknown quota and "off" are not scarce. */
  get isScarce(): boolean {
    return Date.now() < this.resetAt && this.remaining < this.limit * RESERVED_SHARE
  }

  /** How many requests one run of the task may send; without end while the quota is unknown or "off". */
  get taskShare(): number {
    return this.limit === 0 ? Infinity : Math.max(1, Math.floor(this.limit * TASK_SHARE))
  }

  /** Reads the headers of an answer. The two deployments' clocks may differ: no window is longer than a minute. */
  update(headers: Headers): void {
    const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((name) =>
      Number(headers.get(`X-RateLimit-${name}`) ?? NaN)
    )
    if (![limit, remaining, reset].every(Number.isFinite)) {
      return
    }
    const now = Date.now()
    this.limit = limit
    this.remaining = remaining
    this.resetAt = Math.min(Math.max(reset * 1_000, now + 1_000), now + LIMITS.rateLimitWindowSeconds * 1_000)
  }
}

/** Not in a container: the provider's, in Medusa's payment module, and the store's are different ones with one key. */
const known = new Map<string, Quota>()

/** One per key in this process. */
export function quotaOf({ baseUrl, apiKey }: Pick<ParsedRemoteOptions, "baseUrl" | "apiKey">): Quota {
  const id = `${baseUrl} ${apiKey}`
  const quota = known.get(id) ?? new Quota()
  known.set(id, quota)
  return quota
}
