import fc from "fast-check"
import { clockText, clockTime, dayNumber, dayOfText, dayStart, dayText, knownZone, monthStart } from "../days"

const HOUR_MS = 3_600_000
const startOf = (day: string, zone: string) => dayStart(dayOfText(day), zone)

describe("when a day begins (decisions: Days)", () => {
  it.each([
    ["2026-11-21", "Asia/Dhaka", "2026-11-20T18:00:00.000Z", 24],
    ["2026-11-21", "UTC", "2026-11-21T00:00:00.000Z", 24],
    ["2026-11-21", "Asia/Kolkata", "2026-11-20T18:30:00.000Z", 24],
    ["2026-11-21", "Asia/Kathmandu", "2026-11-20T18:15:00.000Z", 24],
    // Summer time begins and ends.
    ["2026-03-08", "America/New_York", "2026-03-08T05:00:00.000Z", 23],
    ["2026-11-01", "America/New_York", "2026-11-01T04:00:00.000Z", 25],
    ["2026-11-02", "America/New_York", "2026-11-02T05:00:00.000Z", 24],
    // It is half an hour.
    ["2026-10-04", "Australia/Lord_Howe", "2026-10-03T13:30:00.000Z", 23.5],
    ["2026-04-05", "Australia/Lord_Howe", "2026-04-04T13:00:00.000Z", 24.5],
    // Clocks jump over midnight: the day begins at one.
    ["2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00.000Z", 23],
    ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00.000Z", 23],
    // They show the hour after midnight twice, and that before it.
    ["2026-11-01", "America/Havana", "2026-11-01T04:00:00.000Z", 25],
    ["2026-10-30", "Africa/Cairo", "2026-10-29T22:00:00.000Z", 24],
    ["2026-10-29", "Africa/Cairo", "2026-10-28T21:00:00.000Z", 25],
    // Samoa went over the date line: its 30 December had no hour.
    ["2011-12-29", "Pacific/Apia", "2011-12-29T10:00:00.000Z", 24],
    ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z", 0],
    ["2011-12-31", "Pacific/Apia", "2011-12-30T10:00:00.000Z", 24],
  ])("%s in %s: %s, %d hours", (day, zone, start, hours) => {
    const next = dayStart(dayOfText(day) + 1, zone)
    expect(startOf(day, zone).toISOString()).toBe(start)
    expect((next.getTime() - Date.parse(start)) / HOUR_MS).toBe(hours)
  })

  it("months begin with their first day", () => {
    expect(monthStart("2026-11", "America/New_York").toISOString()).toBe("2026-11-01T04:00:00.000Z")
    expect(monthStart("2027-01", "Asia/Dhaka").toISOString()).toBe("2026-12-31T18:00:00.000Z")
  })

  const zone = fc.constantFrom(
    ...["Asia/Dhaka", "America/New_York", "Europe/London", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"],
    ...[
      "America/Havana",
      "Africa/Cairo",
      "America/Santiago",
      "Pacific/Chatham",
      "America/St_Johns",
      "Pacific/Kiritimati",
    ]
  )
  const moment = fc.date({
    min: new Date("2015-01-01T00:00:00Z"),
    max: new Date("2037-12-31T00:00:00Z"),
    noInvalidDate: true,
  })

  it("every moment is in the day whose number it has, and in no other", () => {
    fc.assert(
      fc.property(moment, zone, (at, of) => {
        const day = dayNumber(at, of)
        return dayStart(day, of) <= at && at < dayStart(day + 1, of)
      }),
      { numRuns: 2_000 }
    )
  })

  it("a day begins on a quarter of an hour, by which payments are counted", () => {
    fc.assert(fc.property(moment, zone, (at, of) => dayStart(dayNumber(at, of), of).getTime() % 900_000 === 0))
  })

  it.each([
    ["2026-11-21T10:00", "Asia/Dhaka", "2026-11-21T04:00:00.000Z"],
    // Twice: the first; jumped over: later by as much as the clocks jump.
    ["2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00.000Z"],
    ["2026-03-08T02:30", "America/New_York", "2026-03-08T07:30:00.000Z"],
  ])("clocks show %s in %s at %s", (text, zone, at) => {
    expect(clockTime(text, zone)).toBe(at)
  })

  it("a zone that this process does not have is shown as UTC", () => {
    expect(["America/New_York", "UTC", "Mars/Olympus", ""].map(knownZone)).toEqual([
      ...["America/New_York", "UTC", "UTC", "UTC"],
    ])
  })

  it("what a clock shows and its moment lead to each other", () => {
    expect(clockText(new Date("2026-11-21T04:00:59Z"), "Asia/Dhaka")).toBe("2026-11-21T10:00")
    expect(clockTime("yesterday", "Asia/Dhaka")).toBe("yesterday")
  })

  it("a day's text and number lead to each other", () => {
    expect(dayText(dayOfText("2028-02-29"))).toBe("2028-02-29")
    expect(dayOfText("tomorrow")).toBeNaN()
  })
})
