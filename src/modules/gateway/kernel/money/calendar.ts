import { DateTime, IANAZone } from "luxon"
import { dayNumber, dayStart, dayText } from "../../../../i18n/days"
import { HOME_TIME_ZONE } from "../../../../i18n/formats"

export const INTERVAL_UNITS = ["DAY", "WEEK", "MONTH", "YEAR"] as const
export type IntervalUnit = (typeof INTERVAL_UNITS)[number]

/** The length of a billing period: 1 to 365 units (contract 8). */
export type Interval = { interval_count: number; interval_unit: IntervalUnit }

/** Whether two periods have the same length; one of unknown length (null) is like no other. */
export function isSameInterval(
  one: Interval,
  other: { interval_count: number | null; interval_unit: IntervalUnit | null }
): boolean {
  return one.interval_count === other.interval_count && one.interval_unit === other.interval_unit
}

/** The known start of one period; every other period is counted from it. */
export type Anchor = { at: Date; period: number }

const PLURALS = { DAY: "days", WEEK: "weeks", MONTH: "months", YEAR: "years" } as const

const DAY_MS = 86_400_000

/**
 * The start of a period: the anchor plus a number of intervals in one step, on the calendar of `zone` (IANA), clamped to
 * the end of the month. Adding month to month would lose the day for good: 31 January, 28 February, 28 March. The time of
 * day is the anchor's. Where clocks jump over it, it is as much later as they jump; where they show it twice, it is the
 * one with the anchor's distance from UTC, if that is one of the two. Source: decisions, Plans.
 */
export function periodStart(anchor: Anchor, interval: Interval, period: number, zone: string): Date {
  const steps = (period - anchor.period) * interval.interval_count
  if (interval.interval_unit === "DAY") {
    return addDays(anchor.at, steps, zone)
  }
  return DateTime.fromJSDate(anchor.at, { zone })
    .plus({ [PLURALS[interval.interval_unit]]: steps })
    .toJSDate()
}

/**
 * The same time of day, `count` days later (negative: earlier) in `zone`. A date that the zone skipped, as Samoa skipped
 * 30 December 2011, is not a day: counted as one, it would begin at the same moment as the day after it.
 */
export function addDays(at: Date, count: number, zone: string): Date {
  const local = DateTime.fromJSDate(at, { zone })
  const counted = local.plus({ days: count }).toMillis()
  const skipped = Math.round((at.getTime() + count * DAY_MS - counted) / DAY_MS)
  return skipped === 0 ? new Date(counted) : local.plus({ days: count + skipped }).toJSDate()
}

/** How many days of `zone` lie between two moments: the first one's own day counts, the last one's does not. */
export function daysBetween(from: Date, to: Date, zone: string): number {
  const day = (at: Date) => DateTime.fromJSDate(at, { zone }).startOf("day")
  return Math.round(day(to).diff(day(from), "days").days)
}

/** A moment moved by the length of a pause, to the millisecond. */
export function shifted(at: Date, milliseconds: number): Date {
  return new Date(at.getTime() + milliseconds)
}

/** Names of the IANA database are far shorter. */
const TIME_ZONE_MAX_CHARS = 64

/** Abbreviations are none: BST is Bangladesh's time to this process, and Britain's summer time to others. */
const ZONE_NAME = /^(?:UTC|[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)+)$/

/** Whether a text is the name of a time zone in the IANA database that this process has, such as Asia/Dhaka. */
export function isTimeZone(text: string): boolean {
  return text.length <= TIME_ZONE_MAX_CHARS && ZONE_NAME.test(text) && IANAZone.isValidZone(text)
}

/** When a moment's day began in a time zone (IANA). */
export function startOfDay(at: Date, zone: string): Date {
  return dayStart(dayNumber(at, zone), zone)
}

/** A moment's day in a time zone (IANA), as `2026-11-20`. */
export function localDay(at: Date, zone: string): string {
  return dayText(dayNumber(at, zone))
}

/** A moment by Bangladesh's clock, as `20261120235959`. */
export function localTime(at: Date): string {
  return DateTime.fromJSDate(at, { zone: HOME_TIME_ZONE }).toFormat("yyyyMMddHHmmss")
}

/** The days of the week on which banks in Bangladesh are closed (UTC, 0 is Sunday): Friday and Saturday. */
const DAYS_OFF: readonly number[] = [5, 6]

/** The same time of day, `count` business days later. Days are UTC days. */
export function addBusinessDays(from: Date, count: number): Date {
  let at = from.getTime()
  for (let left = count; left > 0;) {
    at += DAY_MS
    left -= isBusinessDay(new Date(at)) ? 1 : 0
  }
  return new Date(at)
}

export function isBusinessDay(at: Date): boolean {
  return !DAYS_OFF.includes(at.getUTCDay())
}
