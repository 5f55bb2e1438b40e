import { localDay, momentsOf, periodOf, presets, rangeOf, type DateRange } from "../presets"

const DHAKA = "Asia/Dhaka"

describe("the presets of date filters", () => {
  it("are days of Bangladesh: before six in the evening by UTC it is still today, then tomorrow", () => {
    expect(presets(new Date("2026-11-22T17:59:59.999Z"), DHAKA).today).toEqual({ $gte: "2026-11-21T18:00:00.000Z" })
    expect(presets(new Date("2026-11-22T18:00:00.000Z"), DHAKA).today).toEqual({ $gte: "2026-11-22T18:00:00.000Z" })
  })

  it("yesterday ends where today begins", () => {
    const { today, yesterday } = presets(new Date("2026-03-01T01:00:00Z"), DHAKA)
    expect(yesterday).toEqual({ $gte: "2026-02-27T18:00:00.000Z", $lte: today.$gte })
  })

  it("this month begins at its first midnight, across the end of a year too", () => {
    expect(presets(new Date("2026-12-31T18:00:00Z"), DHAKA).month).toEqual({ $gte: "2026-12-31T18:00:00.000Z" })
    expect(presets(new Date("2026-12-31T17:59:59Z"), DHAKA).month).toEqual({ $gte: "2026-11-30T18:00:00.000Z" })
  })

  it("last month ends where this one begins, across the end of a year too", () => {
    expect(presets(new Date("2027-01-15T00:00:00Z"), DHAKA).lastMonth).toEqual({
      $gte: "2026-11-30T18:00:00.000Z",
      $lte: "2026-12-31T18:00:00.000Z",
    })
  })

  it("the last days have whole days before today", () => {
    expect(presets(new Date("2026-11-22T12:00:00Z"), DHAKA).last(7)).toEqual({ $gte: "2026-11-14T18:00:00.000Z" })
  })
})

describe("the range of a date filter and the API's period, whose end is exclusive", () => {
  const known = Object.values(presets(new Date("2026-11-22T10:00:00Z"), DHAKA)).filter((one) => typeof one === "object")
  const picked: DateRange[] = [
    { $gte: new Date(2026, 10, 20).toISOString(), $lte: new Date(2026, 10, 22).toISOString() },
    { $lte: new Date(2026, 10, 22).toISOString() },
    { $gte: new Date(2026, 10, 20).toISOString() },
    {},
  ]

  it("picked days are Bangladesh's, wherever the machine is, and the last one is included", () => {
    const { from, to } = periodOf(picked[0], known, DHAKA)
    expect([from, to]).toEqual(["2026-11-19T18:00:00.000Z", "2026-11-22T18:00:00.000Z"])
  })

  it("what somebody types into an address stays as it is", () => {
    expect(periodOf({ $gte: "yesterday" }, known, DHAKA)).toEqual({ from: "yesterday", to: undefined })
    expect(rangeOf({ to: "" }, known, DHAKA)).toEqual({ $gte: undefined, $lte: "" })
  })

  it("a day's name is the calendar's on the machine", () => {
    expect(localDay(new Date(2026, 10, 1))).toBe("2026-11-01")
  })

  it.each([
    ["Asia/Dhaka", "2026-10-31T18:00:00.000Z", "2026-11-01T18:00:00.000Z"],
    ["America/New_York", "2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z"],
    ["Australia/Lord_Howe", "2026-10-31T13:00:00.000Z", "2026-11-01T13:00:00.000Z"],
  ])("decisions: Days: a picked day is the one in %s, of 25 hours too, and is shown again", (zone, from, to) => {
    const day = { $gte: new Date(2026, 10, 1).toISOString(), $lte: new Date(2026, 10, 1).toISOString() }
    expect(periodOf(day, [], zone)).toEqual({ from, to })
    expect(rangeOf({ from, to }, [], zone)).toEqual(day)
    expect(momentsOf({ from: "2026-11-01", to: "2026-11-01" }, zone)).toEqual({ from, to })
  })

  it("decisions: Days: presets are days of the merchant's zone: in New York it is still the day before", () => {
    const { today, yesterday, lastMonth } = presets(new Date("2026-11-02T04:30:00Z"), "America/New_York")
    expect([today.$gte, yesterday.$gte]).toEqual(["2026-11-01T04:00:00.000Z", "2026-10-31T04:00:00.000Z"])
    expect(lastMonth).toEqual({ $gte: "2026-10-01T04:00:00.000Z", $lte: "2026-11-01T04:00:00.000Z" })
  })

  it("a preset ends where it says", () => {
    const { yesterday } = presets(new Date("2026-11-22T10:00:00Z"), DHAKA)
    expect(periodOf(yesterday, known, DHAKA)).toEqual({ from: yesterday.$gte, to: yesterday.$lte })
  })

  it.each<DateRange>([...picked, ...known])("the filter shows again what was chosen: %j", (range) => {
    const shown = rangeOf(periodOf(range, known, DHAKA), known, DHAKA)
    expect([shown.$gte, shown.$lte]).toEqual([range.$gte, range.$lte])
  })
})
