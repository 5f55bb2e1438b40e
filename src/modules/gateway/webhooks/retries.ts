import { DELIVERY_SECONDS } from "../kernel/money/retry-schedule"

const DAY_SECONDS = 86_400

/** Up to a tenth later, never earlier: retries of many receivers must not fall on the same second. */
const JITTER = 0.1

/** An endpoint that has failed for this long without one success is disabled. */
export const ENDPOINT_FAILING_DAYS = 5

/**
 * Seconds until the next try after `failures` failed ones; null once the delivery has failed for good. A receiver's
 * Retry-After can delay it by up to a day, never advance it. `random` is in [0, 1).
 */
export function nextDeliverySeconds(failures: number, random: number, retryAfterSeconds = 0): number | null {
  const base = DELIVERY_SECONDS.after(failures - 1)
  return base === null ? null : Math.max(base * (1 + JITTER * random), Math.min(retryAfterSeconds, DAY_SECONDS))
}
