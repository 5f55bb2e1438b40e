import { DateTime } from "luxon"

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

/**
 * The start of a period: the anchor plus a number of intervals in one step, in UTC, clamped to the end of the month.
 * Adding month to month would lose the day for good: 31 January, 28 February, 28 March. Source: decisions, Plans.
 */
export function periodStart(anchor: Anchor, interval: Interval, period: number): Date {
  const steps = (period - anchor.period) * interval.interval_count
  return DateTime.fromJSDate(anchor.at, { zone: "utc" })
    .plus({ [PLURALS[interval.interval_unit]]: steps })
    .toJSDate()
}

/** A moment moved by the length of a pause, to the millisecond. */
export function shifted(at: Date, milliseconds: number): Date {
  return new Date(at.getTime() + milliseconds)
}

/** The time zone of merchants: their days begin at its midnight. */
const TIME_ZONE = "Asia/Dhaka"

/** When the merchant's day began. */
export function startOfDay(at: Date): Date {
  return DateTime.fromJSDate(at, { zone: TIME_ZONE }).startOf("day").toJSDate()
}

/** The merchant's day of a moment, as `2026-11-20`. */
export function localDay(at: Date): string {
  return DateTime.fromJSDate(at, { zone: TIME_ZONE }).toFormat("yyyy-MM-dd")
}

/** The merchant's time of a moment, as `20261120235959`. */
export function localTime(at: Date): string {
  return DateTime.fromJSDate(at, { zone: TIME_ZONE }).toFormat("yyyyMMddHHmmss")
}

/** The days of the week on which banks in Bangladesh are closed (UTC, 0 is Sunday): Friday and Saturday. */
const DAYS_OFF: readonly number[] = [5, 6]

const DAY_MS = 86_400_000

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
