import { csvText } from "../../../modules/gateway/kernel/text/csv"
import { csvCells, csvColumns, csvHeaders } from "../csv"

const columns = csvColumns("id", ["customer_name", "customer.name"], "created_at", "scopes", "changes", "is_active")

describe("docs/decisions/20 — the cells of an exported row", () => {
  it("are its members as text: times in UTC and in Dhaka's, lists with spaces, objects as JSON, nothing for null", () => {
    const row = {
      id: 7,
      customer: { name: "Karim" },
      created_at: new Date("2026-11-22T06:00:00.5Z"),
      scopes: ["a", "b"],
      changes: { state: { from: null, to: "open" } },
      is_active: false,
    }
    expect(csvCells(columns, row, "Asia/Dhaka")).toEqual([
      "7",
      "Karim",
      "2026-11-22T06:00:00.500Z",
      "2026-11-22 12:00:00",
      "a b",
      '{"state":{"from":null,"to":"open"}}',
      "false",
    ])
    expect(csvCells(columns, { customer: null }, "Asia/Dhaka")).toEqual(["", "", "", "", "", "", ""])
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
    expect(csvCells(csvColumns(["name", "constructor.name"]), {}, "Asia/Dhaka")).toEqual([""])
  })

  it("have headers in both languages", () => {
    expect(csvHeaders(columns, "en", "Asia/Dhaka").slice(0, 2)).toEqual(["Id", "Customer"])
    expect(csvHeaders(columns, "bn", "Asia/Dhaka").slice(0, 2)).toEqual(["আইডি", "গ্রাহক"])
    expect(csvHeaders(columns, "en", "Asia/Dhaka").slice(2, 4)).toEqual(["Created", "Created (Dhaka time)"])
    expect(csvHeaders(columns, "en", "America/New_York")[3]).toBe("Created (America/New_York)")
  })

  it("show a time in Dhaka's beside itself, and nothing else twice", () => {
    const times = ["created_at", "next_billing_date", "failing_since", "due_by", "period_start", "period_end"] as const
    const others = ["recorded_by", "cancel_at_period_end", "period", "payment_url"] as const
    const headers = (names: readonly (typeof times | typeof others)[number][]) =>
      csvHeaders(csvColumns(...names), "en", "Asia/Dhaka")
    expect(headers(times).filter((header) => header.endsWith("(Dhaka time)"))).toHaveLength(times.length)
    expect(headers(others)).toHaveLength(others.length)
    // The day begins six hours earlier there.
    const row = { created_at: new Date("2026-12-31T18:00:00Z"), period_end: "2027-01-31T17:59:59.999Z" }
    expect(csvCells(csvColumns("created_at", "period_end"), row, "Asia/Dhaka")).toEqual([
      "2026-12-31T18:00:00.000Z",
      "2027-01-01 00:00:00",
      "2027-01-31T17:59:59.999Z",
      "2027-01-31 23:59:59",
    ])
  })
})
