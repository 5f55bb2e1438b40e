import { addSeconds } from "../../kernel/money/clock"

const DAY_SECONDS = 86_400

/** When a failed charge is retried, and what follows the last retry (decisions: Plans). */
export type Dunning = {
  /** Days after the first failure, ascending. */
  retryDays: readonly number[]
  afterLast: "cancel" | "past_due"
}

/**
 * When a period that has failed `failures` times is retried; null after the last retry. If a worker comes so late that
 * the next date has passed too, the interval to it is kept, so that the retries are not all used up at once.
 */
export function nextRetryAt(dunning: Dunning, firstFailure: Date, failures: number, now: Date): Date | null {
  const days = dunning.retryDays[failures - 1]
  if (days === undefined) {
    return null
  }
  const scheduled = addSeconds(firstFailure, days * DAY_SECONDS)
  const distance = days - (dunning.retryDays[failures - 2] ?? 0)
  return scheduled > now ? scheduled : addSeconds(now, distance * DAY_SECONDS)
}
