import { Readable } from "node:stream"
import fc from "fast-check"
import { LIMITS } from "../../../kernel/limits"
import { GatewayError } from "../../../kernel/errors"
import { readSheet, type SheetRow } from "../sheet"
import { columnLetters, xlsxFile, xlsxParts, zipped, type TestCell } from "./xlsx-file"

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) {
    yield bytes.subarray(from, from + size)
  }
}

async function rowsOf(file: Buffer | string, name = "report.csv", sheet: string | null = null, size = 65_536) {
  const rows: SheetRow[] = []
  for await (const row of readSheet(inParts(Buffer.from(file), size), name, sheet)) {
    rows.push(row)
  }
  return rows
}

const cellsOf = async (...read: Parameters<typeof rowsOf>) =>
  (await rowsOf(...read)).map(({ line, cells }) => [line, ...cells])

/** What a file is refused for: the kinds of the reason, and of what it says about a line. */
async function refusal(...read: Parameters<typeof rowsOf>): Promise<string> {
  try {
    await rowsOf(...read)
  } catch (error) {
    if (GatewayError.is(error)) {
      const { kind, params } = error.reason
      expect([error.code, error.details]).toEqual(["VALIDATION_ERROR", [{ field: error.field, reason: error.reason }]])
      return kind === "file.line" ? `${error.field} ${(params?.what as { kind: string }).kind}` : kind
    }
    throw error
  }
  return "none"
}

const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le")
  return isBig ? bytes.swap16() : bytes
}

describe("the rows of a CSV file", () => {
  /** Longer than what is read before it is decided what a file is. */
  const TITLE = "t".repeat(1_100)
  const TABLE = "date,amount,বিবরণ\n2026-11-05,1.50,চা\n"

  it.each<[string, Buffer | string]>([
    ["commas", TABLE],
    ["semicolons", TABLE.replaceAll(",", ";")],
    ["tabs", TABLE.replaceAll(",", "\t")],
    ["a byte order mark", `\ufeff${TABLE}`],
    ["CRLF", TABLE.replaceAll("\n", "\r\n")],
    ["CR alone", TABLE.replaceAll("\n", "\r")],
    ["no line end at the end", TABLE.trimEnd()],
    ["quotes", '"date","amount","বিবরণ"\n"2026-11-05","1.50","চা"\n'],
    ["UTF-16, little end first", utf16(TABLE)],
    ["UTF-16, big end first", utf16(TABLE, true)],
    ["UTF-16 with tabs, as Excel saves Unicode text", utf16(TABLE.replaceAll(",", "\t").replaceAll("\n", "\r\n"))],
    ["cells that a spreadsheet keeps as text", 'date,amount,বিবরণ\n2026-11-05,"=""1.50""",চা\n'],
  ])("with %s", async (_what, file) => {
    expect(await cellsOf(file)).toEqual([
      [1, "date", "amount", "বিবরণ"],
      [2, "2026-11-05", "1.50", "চা"],
    ])
  })

  it.each([
    ["titles above that have no separators", "Settlement report\nMerchant 12\n\nid;amount\n1;2,50\n2;3,75\n", 4],
    ["a title with another separator", "Report, of November, final\nid;amount;fee\n1;2;3\n4;5;6\n", 2],
    ["amounts with decimal commas", "id;amount;fee;net\n1;2,50;0,10;2,40\n2;2,50;0,10;2,40\n3;9,50;0,10;9,40\n", 1],
    ["thousands separators", "id\tamount\n1\t1,23,456.00\n2\t9,99,999.00\n", 1],
  ])("most lines say what separates cells: %s", async (_what, file, header) => {
    const rows = await rowsOf(file)
    const of = rows.findIndex(({ line }) => line === header)
    expect(rows[of].cells[0]).toBe("id")
    expect(new Set(rows.slice(of).map(({ cells }) => cells.length)).size).toBe(1)
    expect(rows[of].cells.length).toBeGreaterThan(1)
  })

  it("a run of blank lines is one row without cells, quoted line ends are counted, and lines may have any length", async () => {
    expect(await cellsOf('a,b\n\n \n,\n"x\ny",1\n\n2\n3,4,5,6\n\n\n')).toEqual([
      [1, "a", "b"],
      [2],
      [5, "x\ny", "1"],
      [7],
      [8, "2"],
      [9, "3", "4", "5", "6"],
    ])
  })

  it("has the same rows wherever its bytes are split", async () => {
    const text = `${TITLE}\r\n` + 'তারিখ;পরিমাণ\r\n"৫;১";"১,০০০.০০\r\nদুই"\r\n\r\n😀;"a ""b"""\r\n'
    const files = [
      Buffer.from(`\ufeff${text}`),
      utf16(text),
      xlsxFile([
        ["তারিখ", 5],
        [null, "😀"],
        ["x", { day: 46331 }],
      ]),
    ]
    for (const file of files) {
      const whole = await rowsOf(file)
      expect(whole.length).toBeGreaterThan(2)
      for (let size = 1; size < 40; size++) {
        expect(await rowsOf(file, "x", null, size)).toEqual(whole)
      }
    }
  })

  it("has every table that was written as CSV, in any encoding, in parts of any size", async () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab ১,;\t\"'\n😀") })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 8 }),
        fc.constantFrom(",", ";", "\t"),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        fc.integer({ min: 1, max: 50 }),
        async (table, separator, end, isWide, size) => {
          const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
          const csv = [[TITLE, "h2"], ...table].map((cells) => cells.map(quoted).join(separator) + end).join("")
          const read = await rowsOf(isWide ? utf16(csv) : csv, "x.csv", null, size)
          const filled = table.filter((cells) => cells.some((cell) => cell.trim() !== ""))
          expect(read.filter(({ cells }) => cells.length > 0).map(({ cells }) => cells)).toEqual([
            [TITLE, "h2"],
            ...filled.map((cells) => cells.map((cell) => cell.trim())),
          ])
        }
      )
    )
  })

  it.each<[string, Buffer | string, string]>([
    ["nothing in it", "", "file.empty"],
    ["an old Windows encoding", Buffer.from("name;amount\nCaf\xe9;1", "latin1"), "file.encoding"],
    ["UTF-16 without a mark", Buffer.from("name;amount", "utf16le"), "file.encoding"],
    ["half a character at its end", Buffer.from("a,b\nক", "utf8").subarray(0, -1), "file.encoding"],
    ["half a UTF-16 character at its end", utf16("a,b").subarray(0, -1), "file.encoding"],
    ["a web page that is called Excel", "\n <!DOCTYPE html><table>", "file.page"],
    ["a table of HTML", "<table><tr><td>1</td></tr></table>", "file.page"],
    ["XML", '\ufeff<?xml version="1.0"?><Document/>', "file.page"],
    ["a PDF", "%PDF-1.7\n", "file.pdf"],
    ["an old Excel file", Buffer.from("d0cf11e0a1b11ae1000000", "hex"), "file.old_excel"],
    ["a quote that is never closed", 'a,b\n1,2\n"3,4\n5,6\n', "lines[3] file.quote_open"],
    ["a quote inside a cell", 'a,b\n1"2",3\n', "lines[2] file.quote_inside"],
    ["text after a closing quote", 'a,b\n"1"2,3\n', "lines[2] file.quote_followed"],
    ["too many cells in a line", `a,b\n1,2\n${",".repeat(LIMITS.csvColumnsMax)}`, "lines[3] file.cells_max"],
    ["a million empty cells", `a,b\n1,2\n${",".repeat(1_000_000)}`, "lines[3] file.cells_max"],
    ["too long a cell", `a,b\n1,${"x".repeat(LIMITS.cellMaxChars + 1)}`, "lines[2] file.cell_max"],
    ["a quote that swallows the file", `a,b\n"1,${"2,3\n".repeat(100_000)}`, "lines[2] file.cell_max"],
  ])("is refused with %s", async (_what, file, reason) => {
    expect(await refusal(file)).toBe(reason)
    expect(await refusal(file, "x", null, 7_777)).toBe(reason)
  })

  it("is refused when it is too large, after as much as it may have was read", async () => {
    const part = Buffer.from(`${"x".repeat(32_767)}\n`.repeat(32))
    let given = 0
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        given += part.length
        yield part
      }
    }
    await expect(Readable.from(readSheet(endless(), "x.csv")).toArray()).rejects.toMatchObject({
      reason: { kind: "file.bytes_max", params: { max: 64 } },
    })
    expect(given).toBe(LIMITS.settlementFileMaxBytes + part.length)
  })

  it("lets go of its source when nobody reads on, and when it is refused", async () => {
    const begun = Readable.from(inParts(Buffer.from("a,b\n".repeat(100_000)), 1_000))
    for await (const row of readSheet(begun, "x.csv")) {
      expect(row.line).toBe(1)
      break
    }
    const refused = Readable.from(inParts(Buffer.from(`%PDF${"x".repeat(100_000)}`), 1_000))
    await expect(readSheet(refused, "x.csv").next()).rejects.toThrow()
    expect([begun.destroyed, refused.destroyed]).toEqual([true, true])
  })

  it("an error of the source is the reader's", async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from("a,b\n1,2\n".repeat(10_000))
      throw new Error("the connection was lost")
    }
    await expect(Readable.from(readSheet(broken(), "x.csv")).toArray()).rejects.toThrow("the connection was lost")
  })
})

describe("the rows of an XLSX file", () => {
  const first = async (...cells: TestCell[]) => (await rowsOf(xlsxFile([cells])))[0]

  it.each<[string, TestCell, string]>([
    ["text", "  চা & <b> ", "চা & <b>"],
    ["text of digits", "00012345678901234567890", "00012345678901234567890"],
    ["a whole number", 500, "500"],
    ["a number of 15 digits", 123456789012345, "123456789012345"],
    ["decimals", 1234.5, "1234.5"],
    ["what a formula leaves of 1234.56", { xml: '<c r="{at}"><f>A2*2</f><v>1234.5600000000001</v></c>' }, "1234.56"],
    ["0.1 + 0.2", { xml: '<c r="{at}"><v>0.30000000000000004</v></c>' }, "0.3"],
    ["a small number", { xml: '<c r="{at}"><v>1E-7</v></c>' }, "0.0000001"],
    ["a number with an exponent", { xml: '<c r="{at}"><v>1.23E5</v></c>' }, "123000"],
    ["a negative number", -12.25, "-12.25"],
    ["zero", 0, "0"],
    ["a number with leading zeros by its format", { zeros: 42 }, "00000042"],
    ["an amount whose format has letters in quotes", { xml: '<c r="{at}" s="3"><v>46331</v></c>' }, "46331"],
    ["a date", { day: 46331 }, "2026-11-05"],
    ["a date with a time", { day: 46331.58690972222 }, "2026-11-05T14:05:09"],
    ["a date that is almost midnight", { day: 46330.999999 }, "2026-11-05"],
    ["a date by a format that every workbook has", { xml: '<c r="{at}" s="4"><v>46331</v></c>' }, "2026-11-05"],
    ["a time of day", { day: 0.5 }, "12:00:00"],
    ["the first day of 1900", { day: 1 }, "1900-01-01"],
    ["the first of March 1900", { day: 61 }, "1900-03-01"],
    ["an ISO date", { xml: '<c r="{at}" t="d"><v>2026-11-05</v></c>' }, "2026-11-05"],
    ["yes", { xml: '<c r="{at}" t="b"><v>1</v></c>' }, "TRUE"],
    ["text of a formula", { xml: '<c r="{at}" t="str"><f>A1&amp;"x"</f><v>TX1x</v></c>' }, "TX1x"],
    ["text in the cell", { xml: '<c r="{at}" t="inlineStr"><is><r><t>TX</t></r><r><t>1</t></r></is></c>' }, "TX1"],
    ["text in CDATA", { xml: '<c r="{at}" t="str"><v><![CDATA[a<b]]></v></c>' }, "a<b"],
    ["an escaped control character", { xml: '<c r="{at}" t="str"><v>a_x000D_b_x0000_</v></c>' }, "a\rb_x0000_"],
  ])("%s", async (_what, cell, text) => {
    expect((await first("x", cell)).cells).toEqual(["x", text])
  })

  it.each<[string, TestCell, string, object | undefined]>([
    ["a number of 16 digits", 1234567890123456, "file.digits_lost", undefined],
    ["a number of 20 digits", { xml: '<c r="{at}"><v>1.2345678901234567E19</v></c>' }, "file.digits_lost", undefined],
    ["an error", { xml: '<c r="{at}" t="e"><v>#N/A</v></c>' }, "file.cell_error", { error: "#N/A" }],
  ])("%s is not to be trusted, and its cell is named", async (_what, cell, kind, params) => {
    const { faults } = await first("x", "y", cell)
    expect([...(faults ?? [])]).toEqual([[2, { kind, params: { cell: "C1", ...params } }]])
  })

  it("numbers and dates of the spreadsheet differ from text", async () => {
    expect([...((await first("1", 1, { day: 46331 }, "2")).typed ?? [])]).toEqual([1, 2])
  })

  it("counts days from 1904 where the file says so", async () => {
    expect((await rowsOf(xlsxFile([[{ day: 44869 }, { day: 0.5 }]], { is1904: true })))[0].cells[0]).toBe("2026-11-05")
  })

  it("empty cells, blank lines and merged cells keep their places", async () => {
    const rows: TestCell[][] = [
      ["Report", null, null],
      [],
      [null, "b", null, "d"],
      [{ xml: '<c r="{at}" s="1"/>' }],
      ["e"],
    ]
    expect(await cellsOf(xlsxFile(rows, { merged: ["A1:C1"] }))).toEqual([
      [1, "Report"],
      [2],
      [3, "", "b", "", "d"],
      [4],
      [5, "e"],
    ])
  })

  it("reads what other programs write: prefixes, no references, phonetic signs, other paths", async () => {
    const parts = xlsxParts([["x"]])
    const file = zipped({
      "_rels/.rels": parts["_rels/.rels"].replace("xl/workbook.xml", "/book/main.xml"),
      "book/main.xml": parts["xl/workbook.xml"],
      "book/_rels/main.xml.rels": parts["xl/_rels/workbook.xml.rels"]
        .replace("worksheets/sheet1.xml", "../Data/sheet%201.xml")
        .replace("sharedStrings.xml", "./texts.xml"),
      "book/texts.xml":
        '<x:sst xmlns:x="m"><x:si><x:r><x:t>TX</x:t></x:r><x:rPh><x:t>no</x:t></x:rPh><x:r><x:t>1</x:t></x:r></x:si></x:sst>',
      "data/sheet 1.xml":
        '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c t="s"><x:v>0</x:v></x:c><x:c><x:v>2</x:v></x:c></x:row><x:row><x:c/><x:c><x:v>3</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    })
    expect(await cellsOf(file)).toEqual([
      [1, "TX1", "2"],
      [2, "", "3"],
    ])
  })

  it("reads the first sheet that is shown, or the one that is named", async () => {
    const parts = xlsxParts([["first"]], { sheets: ["মাস নভেম্বর"] })
    const other = xlsxParts([[{ xml: '<c r="{at}" t="str"><v>second</v></c>' }]])["xl/worksheets/sheet1.xml"]
    const both = { ...parts, "xl/worksheets/other0.xml": other }
    const hidden = parts["xl/workbook.xml"].replace('name="Report"', 'name="Report" state="hidden"')
    expect(await cellsOf(zipped(both))).toEqual([[1, "first"]])
    expect(await cellsOf(zipped(both), "x.xlsx", " মাস নভেম্বর ")).toEqual([[1, "second"]])
    expect(await cellsOf(zipped({ ...both, "xl/workbook.xml": hidden }))).toEqual([[1, "second"]])
    expect(await refusal(zipped(both), "x.xlsx", "December")).toBe("file.sheet_missing")
  })

  const broken = (change: (parts: Record<string, string>) => Record<string, string>) =>
    zipped(change(xlsxParts([["x", 1]])))
  const SHEET = "xl/worksheets/sheet1.xml"

  it.each<[string, Buffer]>([
    ["a zip of something else", zipped({ "hello.txt": "hello" })],
    ["half a file", xlsxFile([["x"]]).subarray(0, 300)],
    ["nothing but a beginning", Buffer.from("PK\u0003\u0004")],
    ["a sheet that is missing", broken(({ [SHEET]: _sheet, ...parts }) => parts)],
    ["a sheet that breaks off", broken((parts) => ({ ...parts, [SHEET]: parts[SHEET].slice(0, -20) }))],
    ["a sheet that is no XML", broken((parts) => ({ ...parts, [SHEET]: "1,2,3" }))],
    ["a text that it does not have", xlsxFile([[{ xml: '<c r="{at}" t="s"><v>7</v></c>' }]])],
    ["a number that is none", xlsxFile([[{ xml: '<c r="{at}"><v>1,5</v></c>' }]])],
    ["a cell with no place", xlsxFile([[{ xml: '<c r="7"><v>1</v></c>' }]])],
    [
      "rows that go back",
      broken((parts) => ({ ...parts, [SHEET]: parts[SHEET].replace("</row>", '</row><row r="1"/>') })),
    ],
    [
      "a part that is larger than it says",
      zipped(xlsxParts([["x", "y".repeat(500)]]), { "xl/sharedStrings.xml": 100 }),
    ],
    [
      "a million tags within each other",
      broken((parts) => ({ ...parts, [SHEET]: `<w>${"<a>".repeat(1_000_000)}${"</a>".repeat(1_000_000)}</w>` })),
    ],
    ["a comment of megabytes", broken((parts) => ({ ...parts, [SHEET]: `<w><!--${"x".repeat(3_000_000)}--></w>` }))],
    [
      "too many parts",
      zipped({ ...xlsxParts([["x"]]), ...Object.fromEntries([...Array(2_000).keys()].map((n) => [`p${n}`, ""])) }),
    ],
  ])("is refused with %s", async (_what, file) => {
    expect(await refusal(file, "report.xlsx")).toBe("file.xlsx_broken")
  })

  it("text under the name of an XLSX file is no whole one", async () => {
    expect(await refusal("a,b\n1,2\n", "Report.XLSX")).toBe("file.xlsx_broken")
    expect(await cellsOf("a\tb\n", "report.xls")).toEqual([[1, "a", "b"]])
  })

  it.each<[string, Buffer, string]>([
    [
      "a cell in too far a column",
      xlsxFile([[...Array<null>(LIMITS.csvColumnsMax).fill(null), 1]]),
      "lines[1] file.cells_max",
    ],
    [
      "too long a text",
      xlsxFile([[{ xml: `<c r="{at}" t="str"><v>${"x".repeat(40_000)}</v></c>` }]]),
      "lines[1] file.cell_max",
    ],
    [
      "entities that grow",
      broken((parts) => ({
        ...parts,
        [SHEET]: `<!DOCTYPE x [<!ENTITY a "${"x".repeat(9)}">]>${parts[SHEET].replace("<v>1</v>", "<v>&a;</v>")}`,
      })),
      "file.xlsx_broken",
    ],
  ])("is refused with %s", async (_what, file, reason) => {
    expect(await refusal(file, "x.xlsx")).toBe(reason)
  })

  it("a zip bomb is not unpacked: what its parts say they are is counted first", async () => {
    const parts = xlsxParts([["x"]])
    const saying = (path: string, size: number) => refusal(zipped(parts, { [path]: size }))
    expect(await saying(SHEET, LIMITS.settlementUnpackedMaxBytes + 1)).toBe("file.unpacked_max")
    expect(await saying(SHEET, LIMITS.settlementUnpackedMaxBytes - 1)).toBe("file.unpacked_max")
    // Texts stay in memory, so they may be less.
    expect(await saying("xl/sharedStrings.xml", LIMITS.settlementFileMaxBytes + 1)).toBe("file.unpacked_max")
    expect(await saying("xl/sharedStrings.xml", LIMITS.settlementFileMaxBytes)).toBe("file.xlsx_broken")
  })

  it("has every table that was written", async () => {
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom(..."ab১,;\"<&'😀") }),
      fc.integer(),
      fc.bigInt(-(10n ** 12n), 10n ** 12n).map((minor) => Number(minor) / 100)
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(cell, { maxLength: 30 }), { maxLength: 6 }), async (table) => {
        const read = (await rowsOf(xlsxFile([["head"], ...table]))).filter(({ cells }) => cells.length > 0)
        const withoutEnd = (cells: string[]) => cells.join("\u0000").replace(/\u0000+$/, "")
        const filled = table.map((cells) => withoutEnd(cells.map(String))).filter((cells) => cells !== "")
        expect(read.slice(1).map(({ cells }) => withoutEnd(cells))).toEqual(filled)
      })
    )
  })

  it("columns are counted by their letters", async () => {
    const row = Array<TestCell>(LIMITS.csvColumnsMax).fill(null)
    row[LIMITS.csvColumnsMax - 1] = "last"
    expect(columnLetters(LIMITS.csvColumnsMax - 1)).toBe("AX")
    expect((await rowsOf(xlsxFile([row])))[0].cells.indexOf("last")).toBe(LIMITS.csvColumnsMax - 1)
  })
})
