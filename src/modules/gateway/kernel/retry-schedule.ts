import { addSeconds } from "./clock"

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

/** Seconds until an acquirer is asked again about an unknown outcome: 5 minutes, 1 hour, then daily. */
const INQUIRY_SECONDS = [5 * MINUTE, HOUR, DAY]

/** `asked` is how often it has been asked already (design: six rules, 2). */
export function nextInquiryAt(from: Date, asked: number): Date {
  return addSeconds(from, INQUIRY_SECONDS[Math.min(asked, INQUIRY_SECONDS.length - 1)])
}

/** Seconds until a paid cart without an order is tried again; after the last the money is given back. */
const COMPLETION_SECONDS = [30, 2 * MINUTE, 10 * MINUTE, HOUR]

/** Null once the attempts are used up. */
export function nextCompletionSeconds(attempts: number): number | null {
  return COMPLETION_SECONDS[attempts] ?? null
}

/** Seconds until a refund is tried again to be shown on its Medusa order; never given up. */
const SHOW_SECONDS = [15, MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR]

export function nextShowSeconds(attempts: number): number {
  return SHOW_SECONDS[Math.min(attempts, SHOW_SECONDS.length - 1)]
}

/** Seconds after a failed delivery: 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h (decisions: Webhooks). */
const DELIVERY_SECONDS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY]

/** Up to a tenth later, never earlier: retries of many receivers must not fall on the same second. */
const DELIVERY_JITTER = 0.1

/**
 * Seconds until the next try after `failures` failed ones; null once the delivery has failed for good. A receiver's
 * Retry-After can delay it by up to a day, never advance it. `random` is in [0, 1).
 */
export function nextDeliverySeconds(failures: number, random: number, retryAfterSeconds = 0): number | null {
  const base = DELIVERY_SECONDS[failures - 1]
  if (base === undefined) {
    return null
  }
  return Math.max(base * (1 + DELIVERY_JITTER * random), Math.min(retryAfterSeconds, DAY))
}

/** An endpoint that has failed for this long without one success is disabled. */
export const ENDPOINT_PATIENCE_DAYS = 5
