import fc from "fast-check"
import { INTERVAL_UNITS, periodStart, shifted, startOfDay, type IntervalUnit } from "../money/calendar"
import { nextRetryAt, type Dunning } from "../../subscriptions/billing/dunning"
import { trialEnd, trialKind, trialNoticeAt } from "../../subscriptions/lifecycle"

const DAY_MS = 86_400_000
const USUAL: Dunning = { retryDays: [1, 3, 5, 7], afterLast: "cancel" }
const iso = (date: Date) => date.toISOString()

function dates(from: string, count: number, unit: IntervalUnit, periods: number): string[] {
  const anchor = { at: new Date(from), period: 1 }
  return Array.from({ length: periods }, (_none, index) =>
    iso(periodStart(anchor, { interval_count: count, interval_unit: unit }, index + 1)).slice(0, 10)
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

  it("in UTC, whatever the zone of the process: the hour stays, over summer time too", () => {
    const anchor = { at: new Date("2026-01-31T23:59:59.123Z"), period: 1 }
    const monthly = { interval_count: 1, interval_unit: "MONTH" } as const
    expect(iso(periodStart(anchor, monthly, 7))).toBe("2026-07-31T23:59:59.123Z")
  })

  const anchorDate = fc.date({ min: new Date("2000-01-01"), max: new Date("2080-01-01"), noInvalidDate: true })
  const interval = fc.record({
    interval_count: fc.integer({ min: 1, max: 365 }),
    interval_unit: fc.constantFrom(...INTERVAL_UNITS),
  })

  it("periods follow each other, whatever anchor and interval", () => {
    fc.assert(
      fc.property(anchorDate, interval, fc.integer({ min: 1, max: 60 }), (at, every, period) => {
        const anchor = { at, period: 1 }
        expect(periodStart(anchor, every, period + 1).getTime()).toBeGreaterThan(
          periodStart(anchor, every, period).getTime()
        )
      })
    )
  })

  it("months and years keep the anchor's day, or end with the month where it is too short: no date drifts", () => {
    fc.assert(
      fc.property(
        anchorDate,
        fc.integer({ min: 1, max: 24 }),
        fc.constantFrom("MONTH", "YEAR"),
        fc.integer({ min: 1, max: 60 }),
        (at, count, unit, period) => {
          const date = periodStart(
            { at, period: 1 },
            { interval_count: count, interval_unit: unit as IntervalUnit },
            period
          )
          const months = (period - 1) * count * (unit === "YEAR" ? 12 : 1)
          const lastOfMonth = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months + 1, 0)).getUTCDate()
          expect(date.getUTCDate()).toBe(Math.min(at.getUTCDate(), lastOfMonth))
          expect(date.getTime() % DAY_MS).toBe(((at.getTime() % DAY_MS) + DAY_MS) % DAY_MS)
        }
      )
    )
  })

  it("a later anchor gives the same dates as an earlier one, where no day is clamped", () => {
    const interval = { interval_count: 2, interval_unit: "MONTH" } as const
    const first = { at: new Date("2026-03-15T10:00:00Z"), period: 1 }
    const fourth = { at: periodStart(first, interval, 4), period: 4 }
    expect(iso(periodStart(fourth, interval, 9))).toBe(iso(periodStart(first, interval, 9)))
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
    const end = trialEnd(new Date("2028-02-20T08:30:00Z"), 14)
    expect([iso(end), iso(trialNoticeAt(end))]).toEqual(["2028-03-05T08:30:00.000Z", "2028-03-02T08:30:00.000Z"])
  })
})

describe("decisions: Plans and subscriptions — retries 1, 3, 5 and 7 days after the first failure", () => {
  const first = new Date("2026-05-01T09:00:00Z")
  const after = (days: number) => new Date(first.getTime() + days * DAY_MS)

  it("on time, each retry falls on its day, and none follows the last", () => {
    const dates = [0, 1, 3, 5, 7].map((day, tried) => nextRetryAt(USUAL, first, tried + 1, after(day)))
    expect(dates).toEqual([after(1), after(3), after(5), after(7), null])
  })

  it("a few minutes late, the dates do not drift", () => {
    expect(nextRetryAt(USUAL, first, 2, new Date(after(1).getTime() + 300_000))).toEqual(after(3))
  })

  it("a worker that was down for a month does not use up every try at once", () => {
    expect(nextRetryAt(USUAL, first, 2, after(30))).toEqual(after(32))
    expect(nextRetryAt(USUAL, first, 1, after(30))).toEqual(after(31))
  })

  it("a schedule without retries has none", () => {
    expect(nextRetryAt({ retryDays: [], afterLast: "cancel" }, first, 1, first)).toBeNull()
  })
})

it.each([
  ["2027-03-01T17:59:59.999Z", "2027-02-28T18:00:00.000Z"],
  ["2027-03-01T18:00:00.000Z", "2027-03-01T18:00:00.000Z"],
])("decisions: Days: the merchant's day of %s began at %s", (at, began) => {
  expect(startOfDay(new Date(at)).toISOString()).toBe(began)
})
