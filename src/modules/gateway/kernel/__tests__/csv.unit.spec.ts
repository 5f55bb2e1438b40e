import { messageOf } from "../../../../i18n/message"
import { readTable, type TableShape } from "../text/csv"
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
    expect(faults(",".repeat(max - 1)).length).toBeGreaterThan(max)
  })

  it("a column's name is repeated up to a bound", () => {
    const { errors } = readTable(`name,${"x".repeat(90_000)}\na,b`, SHAPE, unread)
    expect(errors).toHaveLength(1)
    expect(JSON.stringify(errors).length).toBeLessThan(1_000)
  })
})
