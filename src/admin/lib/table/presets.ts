/** A range of a date filter, ISO 8601: a preset's ends before `$lte`; a picked one includes the day that begins then. */
export type DateRange = { $gte?: string; $lte?: string }

/** The API's query: from the first time, to before the second. */
type Period = { from?: string; to?: string }

/** Bangladesh is six hours ahead of UTC and has no summer time. */
export const OFFSET_MS = 6 * 3_600_000
export const DAY_MS = 86_400_000

/** Ranges of whole days and months in Bangladesh, whatever the time zone of the admin's machine. */
export function presets(now: Date) {
  const there = new Date(now.getTime() + OFFSET_MS)
  const [year, month, day] = [there.getUTCFullYear(), there.getUTCMonth(), there.getUTCDate()]
  const midnight = (days: number) => new Date(Date.UTC(year, month, day) - days * DAY_MS - OFFSET_MS).toISOString()
  const first = (ofMonth: number) => new Date(Date.UTC(year, ofMonth, 1) - OFFSET_MS).toISOString()
  return {
    today: { $gte: midnight(0) },
    yesterday: { $gte: midnight(1), $lte: midnight(0) },
    month: { $gte: first(month) },
    lastMonth: { $gte: first(month - 1), $lte: first(month) },
    /** The last days and today. */
    last: (days: number) => ({ $gte: midnight(days) }),
  } satisfies Record<string, DateRange | ((days: number) => DateRange)>
}

/**
 * A picked day is that day in Bangladesh, although the date picker gives its midnight on the admin's machine. The last
 * one belongs to the range, and the API's `to` is exclusive.
 */
export function periodOf({ $gte, $lte }: DateRange, known: readonly DateRange[]): Period {
  const isPreset = known.some((preset) => preset.$gte === $gte && preset.$lte === $lte)
  return isPreset ? { from: $gte, to: $lte } : { from: moved($gte, thereOf), to: moved($lte, thereOf, 1) }
}

/** The inverse of `periodOf`. */
export function rangeOf({ from, to }: Period, known: readonly DateRange[]): DateRange {
  const isPreset = known.some((preset) => preset.$gte === from && preset.$lte === to)
  return isPreset ? { $gte: from, $lte: to } : { $gte: moved(from, hereOf), $lte: moved(to, hereOf, -1) }
}

/** The calendar day of an instant on the admin's machine, `2026-11-21`. */
export function localDay(at: Date): string {
  return new Date(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())).toISOString().slice(0, 10)
}

/** The day of an instant in Bangladesh, `2026-11-21`. */
export function dayThere(at: Date): string {
  return new Date(at.getTime() + OFFSET_MS).toISOString().slice(0, 10)
}

/** The same calendar day's midnight in Bangladesh, of an instant on the admin's machine; `days` later. */
function thereOf(at: Date, days: number): Date {
  return new Date(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate() + days) - OFFSET_MS)
}

/** The inverse: the midnight on the admin's machine, which may have summer time. */
function hereOf(at: Date, days: number): Date {
  const there = new Date(at.getTime() + OFFSET_MS)
  return new Date(there.getUTCFullYear(), there.getUTCMonth(), there.getUTCDate() + days)
}

/** A text that is no instant, such as one that somebody typed into the address, stays as it is. */
function moved(text: string | undefined, move: (at: Date, days: number) => Date, days = 0): string | undefined {
  const at = new Date(text ?? NaN)
  return Number.isNaN(at.getTime()) ? text : move(at, days).toISOString()
}
