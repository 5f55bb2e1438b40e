/** A range of a date filter: from the first time, to before the second; ISO 8601. */
export type DateRange = { $gte: string; $lte?: string }

/** Bangladesh is six hours ahead of UTC and has no summer time. */
const OFFSET_MS = 6 * 3_600_000
const DAY_MS = 86_400_000

/** Ranges of whole days and months in Bangladesh, whatever the time zone of the admin's machine. */
export function presets(now: Date) {
  const there = new Date(now.getTime() + OFFSET_MS)
  const [year, month, day] = [there.getUTCFullYear(), there.getUTCMonth(), there.getUTCDate()]
  const midnight = (days: number) => new Date(Date.UTC(year, month, day) - days * DAY_MS - OFFSET_MS).toISOString()
  return {
    today: { $gte: midnight(0) },
    yesterday: { $gte: midnight(1), $lte: midnight(0) },
    month: { $gte: new Date(Date.UTC(year, month, 1) - OFFSET_MS).toISOString() },
    /** The last days and today. */
    last: (days: number) => ({ $gte: midnight(days) }),
  } satisfies Record<string, DateRange | ((days: number) => DateRange)>
}
