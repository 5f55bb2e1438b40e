import { dayThere, localDay, periodOf, presets, rangeOf, type DateRange } from "../presets"

describe("the presets of date filters", () => {
  it("are days of Bangladesh: before six in the evening by UTC it is still today, then tomorrow", () => {
    expect(presets(new Date("2026-11-22T17:59:59.999Z")).today).toEqual({ $gte: "2026-11-21T18:00:00.000Z" })
    expect(presets(new Date("2026-11-22T18:00:00.000Z")).today).toEqual({ $gte: "2026-11-22T18:00:00.000Z" })
  })

  it("yesterday ends where today begins", () => {
    const { today, yesterday } = presets(new Date("2026-03-01T01:00:00Z"))
    expect(yesterday).toEqual({ $gte: "2026-02-27T18:00:00.000Z", $lte: today.$gte })
  })

  it("this month begins at its first midnight, across the end of a year too", () => {
    expect(presets(new Date("2026-12-31T18:00:00Z")).month).toEqual({ $gte: "2026-12-31T18:00:00.000Z" })
    expect(presets(new Date("2026-12-31T17:59:59Z")).month).toEqual({ $gte: "2026-11-30T18:00:00.000Z" })
  })

  it("last month ends where this one begins, across the end of a year too", () => {
    expect(presets(new Date("2027-01-15T00:00:00Z")).lastMonth).toEqual({
      $gte: "2026-11-30T18:00:00.000Z",
      $lte: "2026-12-31T18:00:00.000Z",
    })
  })

  it("the last days have whole days before today", () => {
    expect(presets(new Date("2026-11-22T12:00:00Z")).last(7)).toEqual({ $gte: "2026-11-14T18:00:00.000Z" })
  })
})

describe("the range of a date filter and the API's period, whose end is exclusive", () => {
  const known = Object.values(presets(new Date("2026-11-22T10:00:00Z"))).filter((one) => typeof one === "object")
  const picked: DateRange[] = [
    { $gte: new Date(2026, 10, 20).toISOString(), $lte: new Date(2026, 10, 22).toISOString() },
    { $lte: new Date(2026, 10, 22).toISOString() },
    { $gte: new Date(2026, 10, 20).toISOString() },
    {},
  ]

  it("picked days are Bangladesh's, wherever the machine is, and the last one is included", () => {
    const { from, to } = periodOf(picked[0], known)
    expect([from, to]).toEqual(["2026-11-19T18:00:00.000Z", "2026-11-22T18:00:00.000Z"])
  })

  it("what somebody types into an address stays as it is", () => {
    expect(periodOf({ $gte: "yesterday" }, known)).toEqual({ from: "yesterday", to: undefined })
    expect(rangeOf({ to: "" }, known)).toEqual({ $gte: undefined, $lte: "" })
  })

  it("a day's name is the calendar's on the machine", () => {
    expect(localDay(new Date(2026, 10, 1))).toBe("2026-11-01")
  })

  it("a day begins at midnight in Bangladesh", () => {
    const nights = ["2026-11-21T17:59:59Z", "2026-11-21T18:30:00Z"]
    expect(nights.map((at) => dayThere(new Date(at)))).toEqual(["2026-11-21", "2026-11-22"])
  })

  it("a preset ends where it says", () => {
    const { yesterday } = presets(new Date("2026-11-22T10:00:00Z"))
    expect(periodOf(yesterday, known)).toEqual({ from: yesterday.$gte, to: yesterday.$lte })
  })

  it.each<DateRange>([...picked, ...known])("the filter shows again what was chosen: %j", (range) => {
    const shown = rangeOf(periodOf(range, known), known)
    expect([shown.$gte, shown.$lte]).toEqual([range.$gte, range.$lte])
  })
})
