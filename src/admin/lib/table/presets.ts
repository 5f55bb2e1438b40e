import { DAY_MS, dayNumber, dayOfText, dayStart, dayText } from "../../../i18n/days"

/** A range of a date filter, ISO 8601: a preset's ends before `$lte`; a picked one includes the day that begins then. */
export type DateRange = { $gte?: string; $lte?: string }

/** The API's query: from the first time, to before the second. */
type Period = { from?: string; to?: string }

/** Ranges of whole days and months of the merchant's time zone, whatever that of the admin's machine. */
export function presets(now: Date, zone: string) {
  const today = dayNumber(now, zone)
  const midnight = (days: number) => dayStart(today - days, zone).toISOString()
  const { first, last } = monthsBefore(today)
  const startOf = (day: number) => dayStart(day, zone).toISOString()
  return {
    today: { $gte: midnight(0) },
    yesterday: { $gte: midnight(1), $lte: midnight(0) },
    month: { $gte: startOf(first) },
    lastMonth: { $gte: startOf(last.from), $lte: startOf(first) },
    /** The last days and today. */
    last: (days: number) => ({ $gte: midnight(days) }),
  } satisfies Record<string, DateRange | ((days: number) => DateRange)>
}

/** The first day of a day's month, and the first and last one of the month before. */
export function monthsBefore(day: number): { first: number; last: { from: number; to: number } } {
  const firstOf = (one: number) => dayOfText(`${dayText(one).slice(0, "2026-11".length)}-01`)
  const first = firstOf(day)
  return { first, last: { from: firstOf(first - 1), to: first - 1 } }
}

/**
 * A picked day is that day in the merchant's time zone, although the date picker gives its midnight on the admin's
 * machine. The last one belongs to the range, and the API's `to` is exclusive.
 */
export function periodOf({ $gte, $lte }: DateRange, known: readonly DateRange[], zone: string): Period {
  const isPreset = known.some((preset) => preset.$gte === $gte && preset.$lte === $lte)
  return isPreset ? { from: $gte, to: $lte } : { from: moved($gte, thereOf(zone)), to: moved($lte, thereOf(zone), 1) }
}

/** The inverse of `periodOf`. */
export function rangeOf({ from, to }: Period, known: readonly DateRange[], zone: string): DateRange {
  const isPreset = known.some((preset) => preset.$gte === from && preset.$lte === to)
  return isPreset ? { $gte: from, $lte: to } : { $gte: moved(from, hereOf(zone)), $lte: moved(to, hereOf(zone), -1) }
}

/** The moments of a period of days, both inclusive, as the lists take them: the end is exclusive. */
export function momentsOf({ from, to }: { from: string; to: string }, zone: string): { from: string; to: string } {
  const startOf = (day: number) => dayStart(day, zone).toISOString()
  return { from: startOf(dayOfText(from)), to: startOf(dayOfText(to) + 1) }
}

/** The calendar day of an instant on the admin's machine, `2026-11-21`. */
export function localDay(at: Date): string {
  return new Date(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())).toISOString().slice(0, 10)
}

/** The beginning in the merchant's time zone of an instant's calendar day on the admin's machine; `days` later. */
function thereOf(zone: string) {
  return (at: Date, days: number) => dayStart(dayOfText(localDay(at)) + days, zone)
}

/** The inverse: the midnight on the admin's machine, which may have summer time. */
function hereOf(zone: string) {
  return (at: Date, days: number) => {
    const there = new Date((dayNumber(at, zone) + days) * DAY_MS)
    return new Date(there.getUTCFullYear(), there.getUTCMonth(), there.getUTCDate())
  }
}

/** A text that is no instant, such as one that somebody typed into the address, stays as it is. */
function moved(text: string | undefined, move: (at: Date, days: number) => Date, days = 0): string | undefined {
  const at = new Date(text ?? NaN)
  return Number.isNaN(at.getTime()) ? text : move(at, days).toISOString()
}
