import { csvText } from "../../../modules/gateway/kernel/text/csv"
import { csvCells, csvColumns, csvHeaders } from "../csv"

const columns = csvColumns("id", ["customer_name", "customer.name"], "created_at", "scopes", "changes", "is_active")

describe("docs/decisions/20 — the cells of an exported row", () => {
  it("are its members as text: times in UTC, lists with spaces, objects as JSON, nothing for null", () => {
    const row = {
      id: 7,
      customer: { name: "Karim" },
      created_at: new Date("2026-11-22T06:00:00.5Z"),
      scopes: ["a", "b"],
      changes: { state: { from: null, to: "open" } },
      is_active: false,
    }
    expect(csvCells(columns, row)).toEqual([
      "7",
      "Karim",
      "2026-11-22T06:00:00.500Z",
      "a b",
      '{"state":{"from":null,"to":"open"}}',
      "false",
    ])
    expect(csvCells(columns, { customer: null })).toEqual(["", "", "", "", "", ""])
  })

  it.each(["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"])(
    "are text where a spreadsheet would run a formula: %j",
    (sign) => {
      const written = csvText([[`${sign}1+1`]])
      expect(written).toMatch(/^"?'/)
    }
  )

  it("are amounts where they are amounts", () => {
    expect(csvText([["-12.50", "12.50"]])).toBe("-12.50,12.50\r\n")
  })

  it("never come from a prototype", () => {
    expect(csvCells(csvColumns(["name", "constructor.name"]), {})).toEqual([""])
  })

  it("have headers in both languages", () => {
    expect(csvHeaders(columns, "en").slice(0, 2)).toEqual(["Id", "Customer"])
    expect(csvHeaders(columns, "bn").slice(0, 2)).toEqual(["আইডি", "গ্রাহক"])
  })
})
