import fc from "fast-check"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import {
  ANSWER_MS,
  answeredWithin,
  dayNumber,
  dayText,
  firstHourApart,
  hoursOfDay,
  HOUR_MS,
  monthlyRevenue,
  percentText,
} from "../database/counter-rules"

describe("days in Bangladesh time", () => {
  it.each([
    ["2026-11-20T17:59:59.999Z", "2026-11-20"],
    ["2026-11-20T18:00:00Z", "2026-11-21"],
    ["1969-12-31T17:59:00Z", "1969-12-31"],
  ])("%s is in %s", (at, text) => {
    expect(dayText(dayNumber(new Date(at)))).toBe(text)
  })

  it("every moment falls within the hours of its day", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }), (at) => {
        const { first, next } = hoursOfDay(dayNumber(at))
        const hour = Math.floor(at.getTime() / HOUR_MS)
        expect(next - first).toBe(24)
        expect(hour >= first && hour < next).toBe(true)
      })
    )
  })
})

describe("docs/decisions/23 — hours that are counted apart", () => {
  it.each([
    ["2026-11-25T00:00:00.000Z", "2026-11-18T00:00:00.000Z"],
    ["2026-11-25T23:59:59.999Z", "2026-11-18T00:00:00.000Z"],
    ["2026-03-01T12:00:00.000Z", "2026-02-22T00:00:00.000Z"],
  ])("at %s they begin with %s: a whole week and today", (now, first) => {
    expect(new Date(firstHourApart(new Date(now)) * HOUR_MS).toISOString()).toBe(first)
  })
})

describe("monthly recurring revenue", () => {
  it.each([
    [1, "MONTH", 50_000n, 50_000n],
    [3, "MONTH", 100_000n, 33_333n],
    [1, "YEAR", 120_006n, 10_001n],
    [1, "WEEK", 8_400n, 36_500n],
    [1, "DAY", 1_200n, 36_500n],
    [365, "DAY", 1_200n, 100n],
  ] as const)("%d %s of %s poisha is %s", (interval_count, interval_unit, amount, month) => {
    expect(monthlyRevenue([{ interval_count, interval_unit, amount }])).toBe(month)
  })

  it("is rounded once, not group by group", () => {
    const third = { interval_count: 3, interval_unit: "MONTH", amount: 100n } as const
    expect(monthlyRevenue([third, third, third])).toBe(100n)
    expect(monthlyRevenue([])).toBe(0n)
  })
})

it.each([
  [1, 3, "33.3"],
  [2, 3, "66.7"],
  [3, 3, "100.0"],
  [0, 3, "0.0"],
  [1, 2000, "0.1"],
  [0, 0, null],
])("%d of %d is %s percent", (part, whole, text) => {
  expect(percentText(part, whole)).toBe(text)
})

describe("how fast acquirers answer", () => {
  it.each([
    ["nothing was measured", [[-1, 9]], null, null],
    ["one answer", [[0, 1]], 50, 50],
    [
      "half and half",
      [
        [1, 10],
        [8, 10],
      ],
      100,
      1_000,
    ],
    [
      "few slow ones",
      [
        [2, 95],
        [17, 5],
      ],
      150,
      150,
    ],
    [
      "one slow one too many",
      [
        [2, 94],
        [17, 6],
      ],
      150,
      20_000,
    ],
    [
      "slower than the last bound",
      [
        [20, 1],
        [-1, 5],
      ],
      60_000,
      60_000,
    ],
  ] as [string, [number, number][], number | null, number | null][])("%s", (_name, counts, median, p95) => {
    expect([answeredWithin(new Map(counts), 0.5), answeredWithin(new Map(counts), 0.95)]).toEqual([median, p95])
  })

  it("the triggers count by the same bounds, and these ascend", () => {
    const migration = readFileSync(join(__dirname, "../../migrations/Migration20261122080000.ts"), "utf8")
    expect(migration).toContain(`'{${ANSWER_MS.join(",")}}'::int[]`)
    expect([...ANSWER_MS].sort((one, other) => one - other)).toEqual([...ANSWER_MS])
  })
})
