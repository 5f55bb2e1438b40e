import { dayNumber, dayStart, dayText, monthStart } from "../../../i18n/days"

/*
 * When the months of a source begin and end: those of the merchant's time zone, and those that were once closed as they
 * were closed (decisions: Days).
 */

/** A transaction that began in the month may commit after it. */
const OVER_AFTER_MS = 3_600_000

/** Before everything. */
export const BEGINNING = "1000-01"

/**
 * A month that was closed keeps the time zone in which it was closed, and its end, also when it is open again; the next
 * month begins there (decisions: Days).
 */
export type FixedMonth = { month: string; time_zone: string; ends_at: Date; is_closed: boolean }

/**
 * When the months of a source begin and end. `fixed`: those that were closed once, in their order. `after`: the last of
 * them; of a bank, which closes none, those of all sources whose settlements it may bring.
 */
export type MonthCalendar = { zone: string; fixed: readonly FixedMonth[]; after: readonly FixedMonth[] }

/** The last closed month; undefined: none is. */
export function lastClosed({ fixed }: MonthCalendar): FixedMonth | undefined {
  return fixed.filter(({ is_closed }) => is_closed).at(-1)
}

/** The month on the calendar of a time zone. */
export function monthOf(at: Date, zone: string): string {
  return dayText(dayNumber(at, zone)).slice(0, "2026-11".length)
}

export function nextMonth(month: string): string {
  const [year, number] = month.split("-").map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`
}

/** All months from the first to the last, both inclusive; none when the first is later. */
export function monthsFrom(first: string, last: string): string[] {
  const months: string[] = []
  for (let month = first; month <= last; month = nextMonth(month)) {
    months.push(month)
  }
  return months
}

/** The time zone of a month's days: today's, of one that was closed that in which it was closed. */
export function zoneOf(month: string, { zone, fixed }: MonthCalendar): string {
  return fixed.find((one) => month <= one.month)?.time_zone ?? zone
}

/** When a month begins, and when the next one does. */
export function boundsOf(month: string, calendar: MonthCalendar): { from: Date; to: Date } {
  const { fixed, after } = calendar
  const zone = zoneOf(month, calendar)
  const own = fixed.find((one) => one.month === month)
  const before = [...fixed, ...after].find((one) => nextMonth(one.month) === month)
  return {
    from: before?.ends_at ?? monthStart(month, zone),
    to: own?.ends_at ?? monthStart(nextMonth(month), zone),
  }
}

/** The days of a month with their beginnings. Where the zone has changed, the first one may begin earlier or later. */
export function daysOf(month: string, calendar: MonthCalendar): { date: string; from: Date }[] {
  const { from, to } = boundsOf(month, calendar)
  const zone = zoneOf(month, calendar)
  const [first, next] = [dayNumber(monthStart(month, zone), zone), dayNumber(to, zone)]
  const days = Array.from({ length: next - first }, (_, nth) => first + nth)
  return days
    .map((day, nth) => ({ date: dayText(day), from: nth === 0 ? from : dayStart(day, zone) }))
    .filter(({ from: begins }, nth) => nth === 0 || begins > from)
}

/** Whether everything of the month is written down. */
export function isOver(month: string, now: Date, calendar: MonthCalendar): boolean {
  return now.getTime() >= boundsOf(month, calendar).to.getTime() + OVER_AFTER_MS
}

/** The month in which a moment is. */
export function monthAt(at: Date, { zone, fixed, after }: MonthCalendar): string {
  const within = fixed.find(({ ends_at }) => at < ends_at)
  if (within !== undefined) {
    const own = monthOf(at, within.time_zone)
    return within === fixed[0] && own < within.month ? own : within.month
  }
  const begun = after.filter(({ ends_at }) => ends_at <= at).map(({ month }) => nextMonth(month))
  return [monthOf(at, zone), ...begun].reduce((one, other) => (one > other ? one : other))
}

/** The month in which a line counts: its own, or the first after the last closed one. */
export function countsIn(occurred_at: Date, calendar: MonthCalendar): string {
  const own = monthAt(occurred_at, calendar)
  const last = lastClosed(calendar)
  return last === undefined || own > last.month ? own : nextMonth(last.month)
}
