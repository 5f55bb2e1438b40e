import { addSeconds } from "../../kernel/clock"

const DAY_SECONDS = 86_400

/** When a failed charge is tried again, and what becomes of a subscription whose last try failed (decisions: Plans). */
export type Dunning = {
  /** Days after the first failure, ascending. */
  retryDays: readonly number[]
  afterLast: "cancel" | "past_due"
}

/**
 * When a period that has failed `failures` times is tried again, or null after the last try. A worker that comes so
 * late that the next date is over too keeps the distance to it, rather than use up all tries at once.
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
