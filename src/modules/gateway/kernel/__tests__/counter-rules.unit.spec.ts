import { readFileSync } from "node:fs"
import { join } from "node:path"
import { dayOfText } from "../../../../i18n/days"
import {
  ANSWER_MS,
  answeredWithin,
  boundsOf,
  firstHourApart,
  HOUR_MS,
  monthlyRevenue,
  percentText,
  QUARTER_MS,
  quartersOf,
} from "../database/counter-rules"

describe("the days of a period, in quarters of an hour (decisions: Days)", () => {
  const lengths = (first: string, last: string, zone: string) => {
    const quarters = quartersOf({ first: dayOfText(first), last: dayOfText(last), zone })
    return quarters.slice(1).map((next, nth) => next - quarters[nth])
  }

  it.each([
    ["Asia/Dhaka", "2026-11-01", "2026-11-02", [96, 96]],
    ["America/New_York", "2026-10-31", "2026-11-02", [96, 100, 96]],
    ["America/New_York", "2026-03-07", "2026-03-09", [96, 92, 96]],
    ["Australia/Lord_Howe", "2026-10-03", "2026-10-05", [96, 94, 96]],
    ["Australia/Lord_Howe", "2026-04-05", "2026-04-05", [98]],
    ["Asia/Kathmandu", "2026-11-01", "2026-11-01", [96]],
    ["Pacific/Apia", "2011-12-29", "2011-12-31", [96, 0, 96]],
  ])("in %s from %s to %s are %j", (zone, first, last, quarters) => {
    expect(lengths(first, last, zone)).toEqual(quarters)
  })

  it("begin and end where the period does, at its own quarter", () => {
    const period = { first: dayOfText("2026-11-01"), last: dayOfText("2026-11-30"), zone: "Asia/Kathmandu" }
    const quarters = quartersOf(period)
    expect(boundsOf(period)).toEqual([quarters[0], quarters.at(-1)])
    expect(new Date(quarters[0] * QUARTER_MS).toISOString()).toBe("2026-10-31T18:15:00.000Z")
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
