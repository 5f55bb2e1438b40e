import fc from "fast-check"
import type { FieldError } from "../../kernel/errors"
import { translate } from "../../../../i18n/translate"
import { MalformedCsv, parseCsv } from "../../kernel/text/csv-records"
import { planEmiImport, readEmiTable, type KnownEmi } from "../import-rules"
import { EMI_FIELDS, emiFields, readEmiSettings, type EmiSettings } from "../input"

const GOOD = { bank_name: "Shapla Bank", tenure: 6, interest_rate: "9.5" }

function settings(changes: Record<string, unknown> = {}): EmiSettings {
  const { value, failures } = readEmiSettings({ ...GOOD, ...changes })
  if (value === null) {
    throw new Error(JSON.stringify(failures))
  }
  return value
}

/** Members that a JSON body may contain, and at which String() throws. */
const WITHOUT_TEXT = { toString: "x", valueOf: null }

describe("decisions: EMI — fields of any JSON value", () => {
  it.each(EMI_FIELDS)("%s is refused by its name when it holds an object, also within a list", (field) => {
    for (const value of [WITHOUT_TEXT, [WITHOUT_TEXT]]) {
      const { failures } = readEmiSettings({ ...GOOD, [field]: value })
      expect(failures.map((failure) => failure.field)).toEqual([field])
    }
  })
})

describe("decisions: Digits — a bank's table", () => {
  it("has numbers of any script, and names as they are written", () => {
    const csv = 'bank_name,tenure,interest_rate,minimum_amount,card_prefixes\nব্যাংক ২,৬,৯.৫,"৳৫,০০০",৪৫৩২০১ ৫১২৩'
    const { lines, errors } = readEmiTable(csv)
    expect(errors).toEqual([])
    expect(lines.map((line) => emiFields(line.settings))).toMatchObject([
      {
        bank_name: "ব্যাংক ২",
        tenure: 6,
        interest_rate: expect.stringMatching(/^9\.50*$/),
        minimum_amount: "5000.00",
        card_prefixes: ["453201", "5123"],
      },
    ])
  })
})

describe("CSV", () => {
  const cells = (text: string) => parseCsv(text).map((record) => [record.line, ...record.cells])

  it("reads cells, quoted ones too, with their lines", () => {
    expect(cells("a,b\n1,2")).toEqual([
      [1, "a", "b"],
      [2, "1", "2"],
    ])
    expect(cells('\ufeffa,b\r\n\r\n"x, ""y""", z \r\n')).toEqual([
      [1, "a", "b"],
      [3, 'x, "y"', "z"],
    ])
    expect(cells('"two\nlines",b\n3,4')).toEqual([
      [1, "two\nlines", "b"],
      [3, "3", "4"],
    ])
    expect(cells('"two\r\nlines",b\r\n3,4\r\n')).toEqual([
      [1, "two\nlines", "b"],
      [3, "3", "4"],
    ])
    expect(cells("a,\n,b,")).toEqual([
      [1, "a", ""],
      [2, "", "b", ""],
    ])
    expect(cells("")).toEqual([])
  })

  it.each([
    ['a,"b', 1],
    ['a\n"b"c', 2],
    ['a\nb"c', 2],
    ['a\n"b\nc\n', 2],
    ['a,b\n"c\nd",e\n\n"f\ng', 5],
  ])("refuses %j at its line", (text, line) => {
    expect(() => parseCsv(text)).toThrow(MalformedCsv)
    try {
      parseCsv(text)
    } catch (error) {
      expect((error as MalformedCsv).line).toBe(line)
    }
  })

  it("reads back any cells that are written with quotes", () => {
    const cell = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) =>
      text
        .replace(/\r/g, "\n")
        .replace(/^\ufeff/, "")
        .trim()
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
        const text = rows.map((row) => row.map((value) => `"${value.replace(/"/g, '""')}"`).join(",")).join("\n")
        const filled = rows.filter((cells) => cells.some((value) => value !== ""))
        expect(parseCsv(text).map((record) => record.cells)).toEqual(filled)
      })
    )
  })
})

describe("a bank's table as a spreadsheet saves it", () => {
  it("has amounts with separators and the taka's sign, and digits of Bangla", () => {
    const { lines, errors } = readEmiTable(
      'bank_name;tenure;interest_rate;processing_fee;minimum_amount;maximum_amount\nপদ্মা ব্যাংক;১২;৯.৫;৳৫৭৫;"5,000.00";৳১,০০,০০০'
    )
    expect(errors).toEqual([])
    expect(lines).toMatchObject([
      {
        line: 2,
        settings: {
          bank_name: "পদ্মা ব্যাংক",
          tenure_months: 12,
          rate_ppm: 95_000,
          fee_value: 57_500,
          min_amount_minor: 500_000,
          max_amount_minor: 10_000_000,
        },
      },
    ])
  })
})

describe("decisions: EMI — what a configuration may be", () => {
  it("has defaults for all but bank, tenure and rate", () => {
    expect(settings()).toEqual({
      bank_name: "Shapla Bank",
      tenure_months: 6,
      rate_ppm: 95_000,
      method: "flat",
      fee_kind: "fixed",
      fee_value: 0,
      min_amount_minor: 300_000,
      max_amount_minor: 50_000_000,
      is_active: true,
      merchant_absorbs: false,
      card_prefixes: [],
    })
  })

  it("reads text as a table has it and values as JSON has them", () => {
    const text = settings({
      bank_name: "  Shapla   Bank ",
      tenure: "12",
      interest_rate: 8,
      interest_method: "Reducing",
      processing_fee_type: "percent",
      processing_fee: "1.75",
      minimum_amount: 5000,
      maximum_amount: "100000.5",
      is_active: "no",
      merchant_bleeding: "YES",
      card_prefixes: "55555555 4242; 4242",
    })
    expect(text).toMatchObject({
      bank_name: "Shapla Bank",
      tenure_months: 12,
      rate_ppm: 80_000,
      method: "reducing",
      fee_kind: "percent",
      fee_value: 17_500,
      min_amount_minor: 500_000,
      max_amount_minor: 10_000_050,
      is_active: false,
      merchant_absorbs: true,
      card_prefixes: ["4242", "55555555"],
    })
    expect(settings(emiFields(text))).toEqual(text)
    expect(settings({ processing_fee: "575.50" }).fee_value).toBe(57_550)
  })

  it.each([
    [{ bank_name: "" }, "bank_name is required"],
    [{ bank_name: "x".repeat(101) }, "bank_name must be text of at most 100 characters"],
    [{ bank_name: "a\u0000b" }, "bank_name must be text"],
    [{ bank_name: 7 }, "bank_name must be text"],
    [{ tenure: 1 }, "tenure must be a whole number of months from 2 to 60"],
    [{ tenure: "61" }, "tenure must be"],
    [{ tenure: 6.5 }, "tenure must be"],
    [{ interest_rate: "12%" }, "interest_rate must be a percentage"],
    [{ interest_rate: "100.5" }, "interest_rate must be a percentage"],
    [{ interest_method: "compound" }, "interest_method must be flat or reducing"],
    [{ processing_fee_type: "none" }, "processing_fee_type must be fixed or percent"],
    [{ processing_fee: "-1" }, "processing_fee must be an amount"],
    [{ processing_fee_type: "percent", processing_fee: "101" }, "processing_fee must be a percentage"],
    [{ minimum_amount: "2999.99" }, "minimum_amount must be an amount from 3000.00"],
    [{ maximum_amount: "500000.01" }, "maximum_amount must be an amount from 3000.00 to 500000.00"],
    [{ minimum_amount: "5000", maximum_amount: "4999.99" }, "maximum_amount must not be below minimum_amount"],
    [{ is_active: "maybe" }, "is_active must be true or false"],
    [{ merchant_bleeding: 2 }, "merchant_bleeding must be true or false"],
    [{ card_prefixes: ["424"] }, "card_prefixes must be the first 4 to 8 digits"],
    [{ card_prefixes: [4242, "42x2"] }, "card_prefixes must be"],
    [{ card_prefixes: { a: 1 } }, "card_prefixes must be"],
  ])("refuses %j", (changes, message) => {
    const { failures } = readEmiSettings({ ...GOOD, ...changes })
    expect(failures.map(({ reason }) => translate(reason))).toEqual([expect.stringContaining(message)])
  })
})

describe("decisions: EMI — a bank's table is taken as a whole", () => {
  const errorsOf = ({ errors }: { errors: readonly FieldError[] }) =>
    errors.map(({ field, reason }) => ({ field, message: translate(reason) }))
  const HEADER = "bank_name,tenure,interest_rate,minimum_amount,maximum_amount"
  const table = (...lines: string[]) => readEmiTable([HEADER, ...lines].join("\n"))
  const known = (changes: Record<string, unknown> = {}): KnownEmi => ({
    ...settings(changes),
    uuid: JSON.stringify(changes),
  })
  const plan = (existing: KnownEmi[], lines: string[], archiveMissing = false) => {
    const read = table(...lines)
    expect(read.errors).toEqual([])
    return planEmiImport(existing, read.lines, archiveMissing)
  }

  it("names the line of everything that is wrong, and of all lines", () => {
    expect(
      errorsOf(table("Shapla Bank,6,9.5,,", "Shapla Bank,1,x,,", ",3,9,1,", "Shapla Bank,3", "Shapla Bank"))
    ).toEqual([
      { field: "lines[3].tenure", message: expect.stringMatching(/^line 3: tenure must be/) },
      { field: "lines[3].interest_rate", message: expect.stringMatching(/^line 3: interest_rate must be/) },
      { field: "lines[4].bank_name", message: "line 4: bank_name is required" },
      { field: "lines[4].minimum_amount", message: expect.stringMatching(/^line 4: minimum_amount must be/) },
      { field: "lines[5]", message: "line 5: there are 2 cells for 5 columns" },
      { field: "lines[6]", message: "line 6: there is 1 cell for 5 columns" },
    ])
  })

  it.each([
    ["", "line 1: the file is empty"],
    ["bank_name,tenure", "line 1: the column interest_rate is missing"],
    ["bank_name,tenure,interest_rate,colour", `line 1: "colour" is no column; use ${EMI_FIELDS.join(", ")}`],
    ["bank_name,tenure,interest_rate,tenure", "line 1: the column tenure is there twice"],
    [HEADER, "line 1: the table must have 1 to 500 lines below the names"],
    [`${HEADER}\n"`, "line 2: a quote is never closed"],
    [`${HEADER}\n${"Shapla Bank,6,9,,\n".repeat(501)}`, "line 1: the table must have 1 to 500 lines below the names"],
  ])("refuses a file like %j", (text, message) => {
    expect(errorsOf(readEmiTable(text))).toEqual([{ field: expect.stringMatching(/^lines\[\d+\]$/), message }])
  })

  it("creates what is new, changes what differs and leaves what is the same", () => {
    const existing = [known(), known({ tenure: 9 }), known({ tenure: 24 }), known({ bank_name: "Other Bank" })]
    const lines = ["shapla bank,6,10,,", "Shapla Bank,9,9.50,3000,500000", "Shapla Bank,12,11,,"]
    const { create, change, unchanged, archive, errors } = plan(existing, lines)
    expect(errors).toEqual([])
    expect(create.map(({ line, settings: { tenure_months } }) => [line, tenure_months])).toEqual([[4, 12]])
    expect(change.map(({ line, uuid }) => [line, uuid])).toEqual([[2, existing[0].uuid]])
    expect(unchanged.map(({ line, uuid }) => [line, uuid])).toEqual([[3, existing[1].uuid]])
    expect(archive).toEqual([])
    expect(plan(existing, lines, true).archive).toEqual([existing[2]])
  })

  it("refuses a line that is there twice, and amounts that overlap, in the file or with what stays", () => {
    expect(errorsOf(plan([], ["Shapla Bank,6,9,,", "SHAPLA BANK,6,10,,"]))).toEqual([
      { field: "lines[3]", message: "line 3: the same bank, tenure and minimum as on line 2" },
    ])
    expect(plan([], ["Shapla Bank,6,9,3000,50000", "Shapla Bank,6,8,50000.01,"]).errors).toEqual([])
    expect(plan([], ["Shapla Bank,6,9,3000,50000", "Shapla Bank,6,8,50000,"]).errors).toHaveLength(1)
    const staying = [known({ minimum_amount: "40000" })]
    expect(errorsOf(plan(staying, ["Shapla Bank,6,9,3000,50000"]))).toEqual([
      {
        field: "lines[2]",
        message:
          "line 2: Shapla Bank has another active configuration over 6 months for 40000.00 to 500000.00; the amounts must not overlap",
      },
    ])
    expect(plan(staying, ["Shapla Bank,6,9,3000,50000"], true).errors).toEqual([])
    expect(plan([known({ minimum_amount: "40000", is_active: false })], ["Shapla Bank,6,9,3000,50000"]).errors).toEqual(
      []
    )
  })
})
