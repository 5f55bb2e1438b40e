import fc from "fast-check"
import {
  addDays,
  INTERVAL_UNITS,
  isTimeZone,
  localDay,
  periodStart,
  shifted,
  startOfDay,
  type IntervalUnit,
} from "../money/calendar"
import { nextRetryAt, type Dunning } from "../../subscriptions/billing/dunning"
import { trialEnd, trialKind, trialNoticeAt } from "../../subscriptions/lifecycle"

const DAY_MS = 86_400_000
const USUAL: Dunning = { retryDays: [1, 3, 5, 7], afterLast: "cancel" }
const iso = (date: Date) => date.toISOString()

/** With daylight saving of an hour and of half an hour, a skipped day, offsets in quarters of an hour, and none of it. */
const ZONES = [
  "Asia/Dhaka",
  "America/New_York",
  "Europe/London",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Asia/Kathmandu",
  "UTC",
]

const CLOCKS = new Map(
  [...ZONES, "America/Sao_Paulo"].map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }),
  ])
)

/** What a clock in a zone shows, `2026-10-01 02:00:00.000`; by Intl alone. */
function wall(at: Date, zone: string): string {
  return `${CLOCKS.get(zone)?.format(at)}.${String(at.getUTCMilliseconds()).padStart(3, "0")}`
}

/** The moments, near another one, at which a clock shows this; none in a gap, two where it is set back. */
function showing(text: string, near: Date, timeZone: string): number[] {
  const utc = Date.parse(`${text.replace(" ", "T")}Z`)
  const offsets = [-2, -1, 0, 1, 2].map((days) => {
    const at = new Date(near.getTime() + days * DAY_MS)
    return Date.parse(`${wall(at, timeZone).replace(" ", "T")}Z`) - at.getTime()
  })
  return [...new Set(offsets.map((offset) => utc - offset))].filter((at) => wall(new Date(at), timeZone) === text)
}

/** The clock shows this; if it never does, then what it shows as much later as the clock is moved. */
function expectWall(at: Date, text: string, timeZone: string): void {
  const moments = showing(text, at, timeZone)
  if (moments.length > 0) {
    expect(moments).toContain(at.getTime())
  } else {
    expect(wall(at, timeZone) > text).toBe(true)
    expect(
      Date.parse(`${wall(at, timeZone).replace(" ", "T")}Z`) - Date.parse(`${text.replace(" ", "T")}Z`)
    ).toBeLessThanOrEqual(DAY_MS)
  }
}

function dates(from: string, count: number, unit: IntervalUnit, periods: number): string[] {
  const anchor = { at: new Date(from), period: 1 }
  return Array.from({ length: periods }, (_none, index) =>
    iso(periodStart(anchor, { interval_count: count, interval_unit: unit }, index + 1, "UTC")).slice(0, 10)
  )
}

describe("decisions: Plans and subscriptions — billing dates are anchored", () => {
  it.each([
    [
      "the 31st through a leap February",
      "2024-01-31",
      1,
      "MONTH",
      ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30", "2024-05-31"],
    ],
    [
      "the 31st through an ordinary February",
      "2026-01-31",
      1,
      "MONTH",
      ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"],
    ],
    ["the 30th", "2026-01-30", 1, "MONTH", ["2026-01-30", "2026-02-28", "2026-03-30"]],
    [
      "29 February, yearly",
      "2024-02-29",
      1,
      "YEAR",
      ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"],
    ],
    ["quarters", "2025-11-30", 3, "MONTH", ["2025-11-30", "2026-02-28", "2026-05-30", "2026-08-30", "2026-11-30"]],
    ["weeks over a change of year", "2026-12-24", 1, "WEEK", ["2026-12-24", "2026-12-31", "2027-01-07"]],
    ["ten days through a leap February", "2028-02-20", 10, "DAY", ["2028-02-20", "2028-03-01", "2028-03-11"]],
  ] as const)("%s", (_name, from, count, unit, expected) => {
    expect(dates(`${from}T00:00:00Z`, count, unit, expected.length)).toEqual(expected)
  })

  it.each<[string, string, string, number, IntervalUnit, string[]]>([
    [
      "who subscribes at 02:00 in Dhaka on the 1st is charged on the 1st",
      "Asia/Dhaka",
      "2026-09-30T20:00:00.000Z",
      1,
      "MONTH",
      ["2026-10-01 02:00", "2026-11-01 02:00", "2026-12-01 02:00", "2027-01-01 02:00", "2027-02-01 02:00"],
    ],
    [
      "the 31st at 00:30 in Dhaka, through February",
      "Asia/Dhaka",
      "2027-01-30T18:30:00.000Z",
      1,
      "MONTH",
      ["2027-01-31 00:30", "2027-02-28 00:30", "2027-03-31 00:30", "2027-04-30 00:30"],
    ],
    [
      "29 February at 01:00 in Dhaka, yearly",
      "Asia/Dhaka",
      "2028-02-28T19:00:00.000Z",
      1,
      "YEAR",
      ["2028-02-29 01:00", "2029-02-28 01:00", "2030-02-28 01:00", "2031-02-28 01:00", "2032-02-29 01:00"],
    ],
    [
      "New York keeps 09:00 over summer time",
      "America/New_York",
      "2026-02-15T14:00:00.000Z",
      1,
      "MONTH",
      ["2026-02-15 09:00", "2026-03-15 09:00", "2026-04-15 09:00"],
    ],
    [
      "02:30 does not exist in New York on 8 March 2026: it is 03:30, once",
      "America/New_York",
      "2026-03-07T07:30:00.000Z",
      1,
      "DAY",
      ["2026-03-07 02:30", "2026-03-08 03:30", "2026-03-09 02:30"],
    ],
    [
      "01:30 comes twice in London on 25 October 2026, and is charged once",
      "Europe/London",
      "2026-10-18T00:30:00.000Z",
      1,
      "WEEK",
      ["2026-10-18 01:30", "2026-10-25 01:30", "2026-11-01 01:30"],
    ],
    [
      "Lord Howe moves its clocks by half an hour",
      "Australia/Lord_Howe",
      "2026-09-03T15:40:00.000Z",
      1,
      "MONTH",
      ["2026-09-04 02:10", "2026-10-04 02:40", "2026-11-04 02:10"],
    ],
    [
      "Samoa skipped 30 December 2011: no day is charged that did not exist",
      "Pacific/Apia",
      "2011-12-28T20:00:00.000Z",
      1,
      "DAY",
      ["2011-12-28 10:00", "2011-12-29 10:00", "2011-12-31 10:00", "2012-01-01 10:00"],
    ],
    [
      "and the month that it fell into has its end a day later",
      "Pacific/Apia",
      "2011-10-30T20:00:00.000Z",
      1,
      "MONTH",
      ["2011-10-30 10:00", "2011-11-30 10:00", "2011-12-31 10:00", "2012-01-30 10:00"],
    ],
  ])("%s (%s)", (_name, zone, from, count, unit, expected) => {
    const anchor = { at: new Date(from), period: 1 }
    const every = { interval_count: count, interval_unit: unit }
    const starts = expected.map((_date, index) => periodStart(anchor, every, index + 1, zone))
    expect(starts.map((start) => wall(start, zone).slice(0, 16))).toEqual(expected)
    expect(iso(starts[0])).toBe(from)
  })

  it("02:30 on a day on which it comes twice stays the one with the anchor's distance from UTC", () => {
    const summer = { at: new Date("2026-10-01T05:30:00.000Z"), period: 1 }
    const winter = { at: new Date("2026-12-01T06:30:00.000Z"), period: 62 }
    const daily = { interval_count: 1, interval_unit: "DAY" } as const
    expect(iso(periodStart(summer, daily, 32, "America/New_York"))).toBe("2026-11-01T05:30:00.000Z")
    expect(iso(periodStart(winter, daily, 32, "America/New_York"))).toBe("2026-11-01T06:30:00.000Z")
  })

  /**
   * Since 2016: an anchor before Samoa moved by a day, in the last week of 2011, and a date in the hours before its
   * clocks are set back (until 2021) come out an hour late, which no subscription of ours can have.
   */
  const anchorDate = fc.oneof(
    fc.date({ min: new Date("2016-01-01"), max: new Date("2037-01-01"), noInvalidDate: true }),
    // The hours in which clocks are moved, to the minute.
    fc
      .record({ day: fc.integer({ min: 0, max: 21 * 365 }), minute: fc.integer({ min: 0, max: 1_439 }) })
      .map(({ day, minute }) => new Date(Date.UTC(2016, 0, 1 + day, 0, minute)))
  )
  const interval = fc.record({
    interval_count: fc.integer({ min: 1, max: 365 }),
    interval_unit: fc.constantFrom(...INTERVAL_UNITS),
  })
  const zone = fc.constantFrom(...ZONES)

  it("property: periods follow each other, whatever anchor, interval and zone, and the anchor is its own date", () => {
    fc.assert(
      fc.property(anchorDate, interval, zone, fc.integer({ min: -20, max: 60 }), (at, every, where, period) => {
        const anchor = { at, period: 1 }
        expect(periodStart(anchor, every, 1, where)).toEqual(at)
        expect(periodStart(anchor, every, period + 1, where).getTime()).toBeGreaterThan(
          periodStart(anchor, every, period, where).getTime()
        )
      }),
      { numRuns: 1_000 }
    )
  })

  it("property: months and years keep the anchor's local day and time, or end with the month, or move over a gap", () => {
    fc.assert(
      fc.property(
        anchorDate,
        fc.integer({ min: 1, max: 24 }),
        fc.constantFrom<IntervalUnit>("MONTH", "YEAR"),
        zone,
        fc.integer({ min: 1, max: 30 }),
        (at, count, unit, where, period) => {
          const every = { interval_count: count, interval_unit: unit }
          const date = periodStart({ at, period: 1 }, every, period, where)
          const [year, month, day] = wall(at, where).split(/[- ]/).map(Number)
          const months = month - 1 + (period - 1) * count * (unit === "YEAR" ? 12 : 1)
          const last = new Date(Date.UTC(year, months + 1, 0)).getUTCDate()
          const wanted = new Date(Date.UTC(year, months, Math.min(day, last))).toISOString().slice(0, 10)
          expectWall(date, `${wanted} ${wall(at, where).slice(11)}`, where)
        }
      ),
      { numRuns: 1_000 }
    )
  })

  /** Days on which clocks are moved, and one that a zone skipped. */
  const moved = fc.constantFrom(
    ["Pacific/Apia", "2011-12-30"],
    ["America/New_York", "2026-03-08"],
    ["America/New_York", "2026-11-01"],
    ["Europe/London", "2026-03-29"],
    ["Europe/London", "2026-10-25"],
    ["Australia/Lord_Howe", "2026-04-05"],
    ["Australia/Lord_Howe", "2026-10-04"]
  )

  it("property: days keep the local time of day, and none that exists is left out or counted twice", () => {
    fc.assert(
      fc.property(moved, fc.integer({ min: 1, max: 40 * 24 * 4 }), ([where, day], quarters) => {
        const at = new Date(Date.parse(day) - quarters * 900_000)
        for (let days = 1; days <= 45; days++) {
          const [before, date] = [addDays(at, days - 1, where), addDays(at, days, where)]
          expectWall(date, `${wall(date, where).slice(0, 10)} ${wall(at, where).slice(11)}`, where)
          expect(Math.abs((date.getTime() - before.getTime()) / 3_600_000 - 24)).toBeLessThanOrEqual(1)
          expect(wall(date, where).slice(0, 10)).not.toBe(wall(before, where).slice(0, 10))
        }
      }),
      { numRuns: 150 }
    )
  })

  it("property: weeks keep the weekday and the local time of day", () => {
    fc.assert(
      fc.property(anchorDate, zone, fc.integer({ min: 1, max: 400 }), (at, where, weeks) => {
        const week = { interval_count: 1, interval_unit: "WEEK" } as const
        const [year, month, day] = wall(at, where).split(/[- ]/).map(Number)
        const wanted = new Date(Date.UTC(year, month - 1, day + 7 * weeks)).toISOString().slice(0, 10)
        expectWall(periodStart({ at, period: 0 }, week, weeks, where), `${wanted} ${wall(at, where).slice(11)}`, where)
      }),
      { numRuns: 1_000 }
    )
  })

  it("a later anchor gives the same dates as an earlier one, where no day is clamped", () => {
    const interval = { interval_count: 2, interval_unit: "MONTH" } as const
    const first = { at: new Date("2026-03-15T10:00:00Z"), period: 1 }
    const fourth = { at: periodStart(first, interval, 4, "Asia/Dhaka"), period: 4 }
    expect(iso(periodStart(fourth, interval, 9, "Asia/Dhaka"))).toBe(iso(periodStart(first, interval, 9, "Asia/Dhaka")))
  })

  it("a pause moves a moment by its own length, to the millisecond", () => {
    expect(iso(shifted(new Date("2026-02-28T12:00:00.001Z"), 10 * DAY_MS + 7))).toBe("2026-03-10T12:00:00.008Z")
  })
})

describe("contract 2.9, 8 — trials", () => {
  it.each([
    [null, null, "none"],
    [0, null, "none"],
    [0, 5_000, "none"],
    [null, 5_000, "none"],
    [14, null, "free"],
    [14, 5_000, "paid"],
  ] as const)("%p days for %p is %s", (trial_period_days, trial_amount_minor, kind) => {
    expect(trialKind({ trial_period_days, trial_amount_minor })).toBe(kind)
  })

  it("days are days, and the notice is due three days before the end", () => {
    const end = trialEnd(new Date("2028-02-20T08:30:00Z"), 14, "Asia/Dhaka")
    expect([iso(end), iso(trialNoticeAt(end, "Asia/Dhaka"))]).toEqual([
      "2028-03-05T08:30:00.000Z",
      "2028-03-02T08:30:00.000Z",
    ])
  })

  it("its days are those of the merchant's zone: it ends at the time of day at which it began, over summer time too", () => {
    const end = trialEnd(new Date("2026-03-06T15:00:00Z"), 7, "America/New_York")
    expect([iso(end), iso(trialNoticeAt(end, "America/New_York"))]).toEqual([
      "2026-03-13T14:00:00.000Z",
      "2026-03-10T14:00:00.000Z",
    ])
    expect(iso(trialNoticeAt(new Date("2026-03-10T14:00:00Z"), "America/New_York"))).toBe("2026-03-07T15:00:00.000Z")
  })
})

describe("decisions: Plans and subscriptions — retries 1, 3, 5 and 7 days after the first failure", () => {
  const first = new Date("2026-05-01T09:00:00Z")
  const after = (days: number) => new Date(first.getTime() + days * DAY_MS)
  const retry = (failures: number, now: Date) =>
    nextRetryAt(USUAL, { firstFailure: first, failures, now }, "Asia/Dhaka")

  it("on time, each retry falls on its day, and none follows the last", () => {
    const dates = [0, 1, 3, 5, 7].map((day, tried) => retry(tried + 1, after(day)))
    expect(dates).toEqual([after(1), after(3), after(5), after(7), null])
  })

  it("a few minutes late, the dates do not drift", () => {
    expect(retry(2, new Date(after(1).getTime() + 300_000))).toEqual(after(3))
  })

  it("a worker that was down for a month does not use up every try at once", () => {
    expect(retry(2, after(30))).toEqual(after(32))
    expect(retry(1, after(30))).toEqual(after(31))
  })

  it("a schedule without retries has none", () => {
    expect(
      nextRetryAt({ retryDays: [], afterLast: "cancel" }, { firstFailure: first, failures: 1, now: first }, "UTC")
    ).toBeNull()
  })

  it("its days are those of the merchant's zone: retries keep the time of day, over summer time too", () => {
    const firstFailure = new Date("2026-10-23T06:00:00Z")
    const retries = USUAL.retryDays.map((_days, index) =>
      nextRetryAt(USUAL, { firstFailure, failures: index + 1, now: firstFailure }, "Europe/London")
    )
    expect(retries.map((at) => wall(at as Date, "Europe/London").slice(0, 16))).toEqual([
      "2026-10-24 07:00",
      "2026-10-26 07:00",
      "2026-10-28 07:00",
      "2026-10-30 07:00",
    ])
  })
})

it.each([
  ["2027-03-01T17:59:59.999Z", "2027-02-28T18:00:00.000Z"],
  ["2027-03-01T18:00:00.000Z", "2027-03-01T18:00:00.000Z"],
])("decisions: Days: the merchant's day of %s began at %s", (at, began) => {
  expect(startOfDay(new Date(at), "Asia/Dhaka").toISOString()).toBe(began)
})

it("decisions: Days: a day begins at midnight of its zone, or when clocks have jumped over that", () => {
  expect(iso(startOfDay(new Date("2026-11-01T12:00:00Z"), "America/New_York"))).toBe("2026-11-01T04:00:00.000Z")
  expect(iso(startOfDay(new Date("2018-11-04T12:00:00Z"), "America/Sao_Paulo"))).toBe("2018-11-04T03:00:00.000Z")
  expect(localDay(new Date("2026-10-01T02:00:00Z"), "America/New_York")).toBe("2026-09-30")
})

it.each<[string, boolean]>([
  ["Asia/Dhaka", true],
  ["Asia/Kolkata", true],
  ["America/Argentina/Buenos_Aires", true],
  ["America/Port-au-Prince", true],
  ["Etc/GMT+6", true],
  ["UTC", true],
  ["BST", false],
  ["EST5EDT", false],
  ["+06:00", false],
  ["Dhaka", false],
  ["Asia/Dacca2", false],
  ["asia/dhaka", false],
  [" Asia/Dhaka", false],
  ["", false],
  [`Asia/${"D".repeat(60)}`, false],
])("decisions: Plans: %j names a time zone: %p", (text, known) => {
  expect(isTimeZone(text)).toBe(known)
})

it("every time zone that a browser offers is taken", () => {
  expect(Intl.supportedValuesOf("timeZone").filter((name) => !isTimeZone(name))).toEqual([])
})
