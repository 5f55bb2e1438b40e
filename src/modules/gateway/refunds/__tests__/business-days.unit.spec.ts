import fc from "fast-check"
import { addBusinessDays, isBusinessDay } from "../../kernel/money/calendar"
import { estimatedCompletion } from "../rules"

const DAY_MS = 86_400_000

describe("contract 4.8, decisions: Refunds — estimated_completion is 7 business days later, Friday and Saturday off", () => {
  it.each([
    ["Sunday", "2026-11-22T10:00:00.000Z", "2026-12-01T10:00:00.000Z"],
    ["Monday", "2026-11-23T00:00:00.000Z", "2026-12-02T00:00:00.000Z"],
    ["Tuesday", "2026-11-24T23:59:59.999Z", "2026-12-03T23:59:59.999Z"],
    ["Wednesday", "2026-11-25T10:00:00.000Z", "2026-12-06T10:00:00.000Z"],
    ["Thursday", "2026-11-26T10:00:00.000Z", "2026-12-07T10:00:00.000Z"],
    ["Friday", "2026-11-27T10:00:00.000Z", "2026-12-07T10:00:00.000Z"],
    ["Saturday", "2026-11-28T10:00:00.000Z", "2026-12-07T10:00:00.000Z"],
    ["across a leap day", "2028-02-24T06:30:00.000Z", "2028-03-06T06:30:00.000Z"],
    ["across a year's end", "2026-12-30T06:30:00.000Z", "2027-01-10T06:30:00.000Z"],
  ])("%s %s: %s", (_name, from, expected) => {
    expect(estimatedCompletion(new Date(from)).toISOString()).toBe(expected)
  })

  const moment = fc.date({
    min: new Date("2000-01-01T00:00:00Z"),
    max: new Date("2089-01-01T00:00:00Z"),
    noInvalidDate: true,
  })

  it("for any moment and count: a business day, at the same time, with exactly that many business days passed", () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 40 }), (from, count) => {
        const end = addBusinessDays(from, count)
        const days = (end.getTime() - from.getTime()) / DAY_MS
        const passed = Array.from({ length: days }, (_, day) => new Date(from.getTime() + (day + 1) * DAY_MS)).filter(
          isBusinessDay
        )
        expect(Number.isInteger(days)).toBe(true)
        expect([isBusinessDay(end), passed.length]).toEqual([true, count])
      })
    )
  })

  // The time of day is kept: a Thursday's afternoon and the Saturday morning after it end on the same Monday, in this order.
  it("a later start never ends on an earlier day, and zero days add nothing", () => {
    const day = (at: Date) => Math.floor(at.getTime() / DAY_MS)
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        const [early, late] = one <= other ? [one, other] : [other, one]
        expect(day(estimatedCompletion(early))).toBeLessThanOrEqual(day(estimatedCompletion(late)))
        expect(addBusinessDays(one, 0)).toEqual(one)
      }),
      { examples: [[new Date("2088-12-30T15:00:00.000Z"), new Date("2089-01-01T09:00:00.000Z")]] }
    )
  })
})
