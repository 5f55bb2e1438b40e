/** A range of a date filter, ISO 8601: a preset's ends before `$lte`; a picked one includes the day that begins then. */
export type DateRange = { $gte?: string; $lte?: string }

/** The API's query: from the first time, to before the second. */
export type Period = { from?: string; to?: string }

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

/** The last day that somebody picks belongs to the range, and the API's `to` is exclusive. */
export function periodOf({ $gte, $lte }: DateRange, known: readonly DateRange[]): Period {
  const isPreset = known.some((preset) => preset.$gte === $gte && preset.$lte === $lte)
  return { from: $gte, to: isPreset || $lte === undefined ? $lte : daysAfter($lte, 1) }
}

/** The inverse of `periodOf`. */
export function rangeOf({ from, to }: Period, known: readonly DateRange[]): DateRange {
  const isPreset = known.some((preset) => preset.$gte === from && preset.$lte === to)
  return { $gte: from, $lte: isPreset || to === undefined ? to : daysAfter(to, -1) }
}

/** Days of the admin's machine, which may have summer time: the date picker shows that machine's days. */
function daysAfter(instant: string, days: number): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) {
    return instant
  }
  date.setDate(date.getDate() + days)
  return date.toISOString()
}
