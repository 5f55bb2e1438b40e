/*
 * Days of a time zone (IANA). A day is a number, counted from 1970, or a text such as `2026-11-21`. It has 24 hours, or
 * as many as the zone's clocks show: 23 or 25 where summer time begins or ends, none where a zone skipped it. The
 * database of zones is this process's own: what is decided by days is decided here, and PostgreSQL gets moments.
 */

export const DAY_MS = 86_400_000
const SECOND_MS = 1_000

/** Making one takes far longer than using it. */
const CALENDARS = new Map<string, Intl.DateTimeFormat>()

/** A time zone by its name (IANA), or UTC where this process, or browser, has none of this name. */
export function knownZone(zone: string): string {
  try {
    partsOf(new Date(0), zone)
    return zone
  } catch {
    return "UTC"
  }
}

/** The parts of a moment in a time zone, as digits. */
export function partsOf(at: Date, zone: string): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  const calendar =
    CALENDARS.get(zone) ??
    new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      ...{ year: "numeric", month: "2-digit", day: "2-digit" },
      ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
    })
  CALENDARS.set(zone, calendar)
  return Object.fromEntries(calendar.formatToParts(at).map(({ type, value }) => [type, value]))
}

/** When a clock of UTC shows what a clock of the zone shows at a moment, to the second. Both in milliseconds since 1970. */
function shownAt(at: number, zone: string): number {
  const { year, month, day, hour, minute, second } = partsOf(new Date(at), zone)
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
}

function offsetAt(at: number, zone: string): number {
  return shownAt(at, zone) - Math.floor(at / SECOND_MS) * SECOND_MS
}

/** The number of a moment's day in a zone. */
export function dayNumber(at: Date, zone: string): number {
  return Math.floor(shownAt(at.getTime(), zone) / DAY_MS)
}

/**
 * When a day begins in a zone: at midnight; where clocks jump from midnight on, when they jump; where they show midnight
 * twice, at the first. A day that the zone skipped begins, and ends, with the day after it.
 */
export function dayStart(day: number, zone: string): Date {
  return firstShowing(day * DAY_MS, zone)
}

/**
 * When clocks of a zone first show a day and time, `2026-11-21T10:00`, in ISO 8601. A time that they jump over is later by
 * as much as they jump: where they go from 02:00 to 03:00, 02:30 is when they show 03:30. Another text stays.
 */
export function clockTime(text: string, zone: string): string {
  const shown = Date.parse(`${text}Z`)
  return Number.isNaN(shown) ? text : firstShowing(shown, zone).toISOString()
}

/** As `clockTime`; `shown` is what the clocks show, as milliseconds since 1970 of a clock of UTC. */
function firstShowing(shown: number, zone: string): Date {
  const offsets = [offsetAt(shown - DAY_MS, zone), offsetAt(shown + DAY_MS, zone)]
  const [earlier, later] = [shown - Math.max(...offsets), shown - Math.min(...offsets)]
  return new Date(shownAt(earlier, zone) >= shown ? earlier : later)
}

/** What a clock of the zone shows at a moment, to the minute: `2026-11-21T10:00`. */
export function clockText(at: Date, zone: string): string {
  return new Date(shownAt(at.getTime(), zone)).toISOString().slice(0, "2026-11-21T10:00".length)
}

/** The date of a day's number: `2026-11-21`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, "2026-11-21".length)
}

/** The inverse; NaN for what is no date. */
export function dayOfText(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / DAY_MS
}

/** When a month, `2026-11`, begins in a zone. */
export function monthStart(month: string, zone: string): Date {
  return dayStart(dayOfText(`${month}-01`), zone)
}
