import { formatsOf } from "../format"

it("a rate in percent has one form: no space before the sign", () => {
  const rates = ["9", "1.5", "9.1234"].map((text) =>
    ["en-GB", "bn-BD"].map((locale) => formatsOf(locale, "UTC").rate(text))
  )
  expect(rates).toEqual([
    ["9%", "৯%"],
    ["1.5%", "১.৫%"],
    ["9.1234%", "৯.১২৩৪%"],
  ])
})

describe("times of a merchant's zone (decisions: Days)", () => {
  const AT = "2026-11-21T04:00:00Z"

  it.each([
    ["en-GB", "America/New_York", "20 Nov 2026, 23:00:00", "20 Nov 2026"],
    ["en-GB", "UTC", "21 Nov 2026, 04:00:00", "21 Nov 2026"],
    ["en-GB", "Mars/Olympus", "21 Nov 2026, 04:00:00 UTC", "21 Nov 2026"],
    ["bn-BD", "Mars/Olympus", "২১ নভেম্বর ২০২৬, ০৪:০০:০০ UTC", "২১ নভেম্বর ২০২৬"],
  ])("in %s of %s, which a browser may not have", (locale, zone, time, date) => {
    const formats = formatsOf(locale, zone)
    expect([formats.time(AT), formats.fileTime(AT), formats.date(AT)]).toEqual([time, time, date])
    expect([formats.time(null), formats.fileTime("2026-11-21T00:00:00Z").includes("UTC")]).toEqual(["", false])
  })
})
