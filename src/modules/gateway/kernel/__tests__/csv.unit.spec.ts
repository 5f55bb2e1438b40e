import { messageOf } from "../../../../i18n/message"
import { csvText, readTable, sheetText, type TableShape } from "../text/csv"
import { LIMITS } from "../limits"

const SHAPE: TableShape = {
  columns: ["name", "amount"],
  required: ["name"],
  maxRows: 3,
  count: messageOf("file.lines", { max: 3 }),
}
const unread = () => {
  throw new Error("a line was read")
}
const faults = (csv: string) =>
  readTable(csv, SHAPE, unread).errors.map(({ field, reason }) => [field, Object(reason.params?.what).kind as string])
const read = (csv: string) => readTable(csv, SHAPE, (value) => ({ value, failures: [] })).lines

describe("decisions: Lengths before contents — a file's lines and columns", () => {
  const { csvColumnsMax: max } = LIMITS

  it.each([
    ["lines", "name\na\nb\nc\nd", 1],
    ["lines after blank ones", "\n \nname\n\na\n\nb\n\nc\n\nd", 3],
    ["lines of quoted cells", '"name"\r\n"a"\r\n"b"\r\n"c"\r\n"d"', 1],
    // Were it parsed, its quote would be found wrong before its end.
    ["lines, one of them malformed", 'name\na""b\nb\nc\nd', 1],
  ])("too many %s: the header's line is named, and nothing is read", (_name, csv, line) => {
    expect(faults(csv)).toEqual([[`lines[${line}]`, "file.lines"]])
  })

  it.each([
    ["columns", ",".repeat(max), 1],
    ["cells in a line", `name\na\n${",".repeat(90_000)}`, 3],
    ["cells behind a quoted line end", `name\n"a\nb"${",".repeat(max)}`, 2],
  ])("too many %s: their line is named, and nothing is read", (_name, csv, line) => {
    expect(faults(csv)).toEqual([[`lines[${line}]`, "file.cells_max"]])
  })

  it("as many as there may be are read; commas and line ends within quotes count as neither", () => {
    expect(read(`name,amount\na,1\n"${",".repeat(max)}\n\n\n\n\n",2\nc,"3"\n\n`)).toEqual([
      { name: "a", amount: "1" },
      { name: ",".repeat(max), amount: "2" },
      { name: "c", amount: "3" },
    ])
    expect(faults(Array(max).fill("x").join(",")).length).toBeGreaterThan(max)
  })

  it("a column's name is repeated up to a bound", () => {
    const { errors } = readTable(`name,${"x".repeat(90_000)}\na,b`, SHAPE, unread)
    expect(errors).toHaveLength(1)
    expect(JSON.stringify(errors).length).toBeLessThan(1_000)
  })
})

describe("a file as spreadsheets save it", () => {
  it.each([
    ["commas", "name,amount\r\na,1\r\n"],
    ["semicolons", "name;amount\r\na;1\r\n"],
    ["tabs", "name\tamount\r\na\t1\r\n"],
    ["quoted cells between tabs", '"name"\t"amount"\n"a"\t"1"\n'],
    ["a byte order mark", "\ufeffname;amount\na;1"],
    ["a byte order mark before a quote", '\ufeff"name","amount"\n"a","1"'],
    ["rows of separators alone", ",\nname,amount\n,\n,,,,\n a , 1 \n,\n"],
    ["rows of tabs alone", "\t\nname\tamount\n\t\t\na\t1\n\t\n"],
    ["a first line of empty quotes", '"","",""\nname,amount\na,1'],
    ["rows of empty quotes", 'name,amount\n"",""\na,1\n"",""'],
    ["more empty rows than there may be lines", `name;amount\n${";\n".repeat(50)}a;1`],
    ["columns that were emptied", "name,amount,,\na,1,,\n"],
    ["a line that ends with fewer of them", "name;amount;;;\na;1;\n"],
    ["cells that are kept as text", 'name,amount\na,"=""1"""'],
  ])("%s", (_what, csv) => {
    expect(read(csv)).toEqual([{ name: "a", amount: "1" }])
  })

  it.each([
    ["a;b", "name,amount\na;b,1"],
    ["a,b", "name;amount\na,b;1"],
    ["a\tb", 'name,amount\n"a\tb",1'],
    ["a,b", 'name\tamount\n"a,b"\t1'],
  ])("the header alone decides what separates: %j", (name, csv) => {
    expect(read(csv)).toEqual([{ name, amount: "1" }])
  })

  it.each([",", ";", "\t"])("an empty first cell stays the first: %j", (separator) => {
    expect(read(`name${separator}amount\n${separator}1`)).toEqual([{ name: "", amount: "1" }])
  })

  it("numbers are read as people write them, in the columns that have some", () => {
    const table = 'name;amount\n৳১,০০০;৳১,০০০\nb;"1,234.50"\nc;BDT 2,00,000\nd;a lot'
    const { lines } = readTable(table, { ...SHAPE, numbers: ["amount"], maxRows: 4 }, (value) => ({
      value,
      failures: [],
    }))
    expect(lines).toEqual([
      { name: "৳১,০০০", amount: "1000" },
      { name: "b", amount: "1234.50" },
      { name: "c", amount: "200000" },
      { name: "d", amount: "a lot" },
    ])
  })

  it.each([
    ["a line that lacks a cell", "name,amount\na"],
    ["a cell beyond the columns", "name,amount\na,1,,2"],
  ])("%s is refused: nobody knows which column it is", (_what, csv) => {
    expect(faults(csv)).toEqual([["lines[2]", "file.cells"]])
  })

  it.each([
    ["semicolons", ";"],
    ["tabs", "\t"],
  ])("too many %s in a line are counted before anything is read", (_what, separator) => {
    const { csvColumnsMax: max } = LIMITS
    expect(faults(`name${separator}amount\na${separator.repeat(max)}`)).toEqual([["lines[2]", "file.cells_max"]])
  })

  it("separators of no column are an empty file", () => {
    expect(faults(",,,\n,\n")).toEqual([["lines[1]", "file.empty"]])
  })
})

describe("a file for a spreadsheet", () => {
  const written = (value: string) => sheetText([[value]]).trimEnd()

  it.each([
    "0042",
    "01712345678",
    "+8801712345678",
    "2411280012345678901",
    "12E5",
    "2026-11",
    "1/2",
    "12:30",
    "10.0.0.1",
    "MAR1",
    "DEC-5",
    "5-MAR",
    "1 Sept 2026",
    "Jan 31, 2026",
  ])("keeps %s as it is, and reads it again", (value) => {
    expect(written(value)).toBe(`"=""${value}"""`)
    expect(
      read(
        sheetText([
          ["name", "amount"],
          ["a", value],
        ])
      )
    ).toEqual([{ name: "a", amount: value }])
  })

  it.each([
    "0",
    "7",
    "12345678901",
    "2.5",
    "1250.50",
    "-12.50",
    "500000000000.00",
    "txn12",
    "MARKET-1",
    "May",
    "W-0016",
    "2026-11-22T06:00:00.500Z",
    "2026-11-22 12:00:00",
    "",
  ])("writes %j as a program gets it", (value) => {
    expect(written(value)).toBe(csvText([[value]]).trimEnd())
  })

  it("runs no formula", () => {
    expect(["=1+1", "+1+x", "-2+3", '=HYPERLINK("x")'].map(written)).toEqual([
      "'=1+1",
      "'+1+x",
      "'-2+3",
      `"'=HYPERLINK(""x"")"`,
    ])
  })
})
