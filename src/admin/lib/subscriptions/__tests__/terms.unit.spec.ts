import { changeOf, draftOf } from "../parts"

const OPENED = draftOf({ amount: "500.00", interval_count: 1, interval_unit: "MONTH" })

describe("decision 11: the form of a subscription's terms sends what was changed in it", () => {
  it("and nothing else, so that it undoes no change that was made elsewhere meanwhile", () => {
    expect(changeOf(OPENED, OPENED)).toEqual({})
    expect(changeOf({ ...OPENED, amount: "600" }, OPENED)).toEqual({ amount: "600" })
  })

  it("count and unit of the interval together", () => {
    expect(changeOf({ ...OPENED, interval_unit: "YEAR" }, OPENED)).toEqual({ interval_count: 1, interval_unit: "YEAR" })
    expect(changeOf({ ...OPENED, interval_count: "3" }, OPENED)).toEqual({ interval_count: 3, interval_unit: "MONTH" })
    expect(changeOf({ ...OPENED, interval_count: "x" }, OPENED)).toEqual({
      interval_count: "x",
      interval_unit: "MONTH",
    })
  })
})
