import { addDays } from "../../kernel/money/calendar"

/** When a failed charge is retried, and what follows the last retry (decisions: Plans). */
export type Dunning = {
  /** Days of the merchant's time zone after the first failure, ascending. */
  retryDays: readonly number[]
  afterLast: "cancel" | "past_due"
}

/**
 * When a period that has failed `failures` times is retried; null after the last retry. If a worker comes so late that
 * the next date has passed too, the interval to it is kept, so that the retries are not all used up at once.
 */
export function nextRetryAt(
  dunning: Dunning,
  { firstFailure, failures, now }: { firstFailure: Date; failures: number; now: Date },
  zone: string
): Date | null {
  const days = dunning.retryDays[failures - 1]
  if (days === undefined) {
    return null
  }
  const scheduled = addDays(firstFailure, days, zone)
  const distance = days - (dunning.retryDays[failures - 2] ?? 0)
  return scheduled > now ? scheduled : addDays(now, distance, zone)
}
