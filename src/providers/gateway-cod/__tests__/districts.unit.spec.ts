import { districtOf } from "../districts"

describe("the district of a cash order (decisions: Cash on delivery)", () => {
  it.each([
    ["Gazipur", "Dhaka", "Gazipur"],
    ["Savar", "Dhaka", "Dhaka"],
    ["Dhaka", null, "Dhaka"],
    [" chittagong ", "Chattogram", "chittagong"],
    ["Springfield", "", "Springfield"],
    ["", "Sylhet", "Sylhet"],
    [undefined, null, null],
  ])("of %s in %s is %s", (city, province, district) => {
    expect(districtOf(city, province)).toBe(district)
  })
})
