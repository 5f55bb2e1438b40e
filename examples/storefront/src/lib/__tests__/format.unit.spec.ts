import "./english"
import { DIVISIONS, divisionOf } from "../districts"
import { taka } from "../format"

describe("taka", () => {
  it.each([
    [0, "৳0.00"],
    [60, "৳60.00"],
    [1234.5, "৳1,234.50"],
    [123456, "৳1,23,456.00"],
    [12345678.9, "৳1,23,45,678.90"],
    [-150, "-৳150.00"],
  ])("shows %d as %s", (amount, text) => {
    expect(taka(amount)).toBe(text)
  })
})

describe("districts", () => {
  const names = DIVISIONS.flatMap(({ districts }) => districts.map(([name]) => name))

  it("are the 64 of the country, each once, in 8 divisions", () => {
    expect(DIVISIONS).toHaveLength(8)
    expect(names).toHaveLength(64)
    expect(new Set(names).size).toBe(64)
  })

  it("lie in their division", () => {
    expect(divisionOf("Cox's Bazar")).toBe("Chattogram")
    expect(divisionOf("Atlantis")).toBeUndefined()
  })
})
