import fc from "fast-check"
import { translate } from "../../../../../i18n/translate"
import { GatewayError } from "../../../kernel/errors"
import { LIMITS } from "../../../kernel/limits"
import { formatAmount } from "../../../kernel/money/money"
import { readSettlement, type LineResult, type SettlementLine } from "../lines"
import { readSheet, type SheetRow } from "../sheet"
import { readTemplate, type SettlementTemplate } from "../template"
import { xlsxFile, type TestCell } from "./xlsx-file"

function templateOf(input: object): SettlementTemplate {
  const { value, failures } = readTemplate(input)
  expect(failures).toEqual([])
  return value as SettlementTemplate
}

async function resultsOf(file: string | Buffer, template: SettlementTemplate): Promise<LineResult[]> {
  async function* bytes() {
    yield Buffer.from(file)
  }
  const results: LineResult[] = []
  for await (const batch of readSettlement(readSheet(bytes(), "report", template.sheet), template)) {
    results.push(...batch)
  }
  return results
}

/** A line in short: its kind, figures, moment and references. */
const short = ({ kind, gross, fee, vat, net, ...line }: SettlementLine) =>
  [
    `${line.line} ${kind}`,
    ...[gross, fee, vat, net].map((amount) => formatAmount(amount)),
    line.currency,
    line.occurred_at.toISOString().slice(0, 16),
    line.reference,
    line.order_reference,
  ].join(" ")

/** What became of each line, in words. */
const summaries = (results: readonly LineResult[]) =>
  results.map((result) =>
    result.outcome === "line"
      ? short(result.line)
      : result.outcome === "skipped"
        ? `${result.line} skipped: ${translate(result.why)}`
        : result.errors.map(({ field, reason }) => `${field}: ${translate(reason)}`).join("; ")
  )
const read = async (...given: Parameters<typeof resultsOf>) => summaries(await resultsOf(...given))
const linesIn = (results: readonly LineResult[]) =>
  results.flatMap((result) => (result.outcome === "line" ? [result.line] : []))

async function refusal(...given: Parameters<typeof resultsOf>): Promise<string> {
  try {
    await resultsOf(...given)
  } catch (error) {
    return GatewayError.is(error) ? `${error.code} ${error.message}` : String(error)
  }
  return "none"
}

/** A template of the shortest file that there is. */
const SIMPLE = {
  kind: "settlement",
  columns: { reference: "Ref", date: "Date", gross: "Amount" },
}
const simple = (change: object = {}) => templateOf({ ...SIMPLE, ...change })

describe("a card acquirer's report: titles, repeated headers, totals, kinds by words", () => {
  const template = templateOf({
    kind: "settlement",
    columns: {
      id: "SL",
      kind: "Type",
      reference: "Bank Tran ID",
      order_reference: "Tran ID",
      date: "Transaction Date",
      gross: "Amount (BDT)",
      fee: "Commission",
      vat: "VAT",
      net: "Net payable",
      batch: "Batch",
      description: "Card",
    },
    kinds: {
      Sale: "payment",
      "Refund ": "refund",
      chargeback: "dispute",
      "Chargeback  won": "dispute_reversal",
      Failed: "skip",
    },
    date_format: "DD-MMM-YYYY",
  })
  const FILE = [
    "\ufeffMerchant Settlement Report;;;;;;;;;;",
    "Period: 01-Nov-2026 to 30-Nov-2026;;;;;;;;;;",
    ";;;;;;;;;;",
    "SL;Type;Bank Tran ID;TRAN  ID;Transaction Date;Amount (BDT);Commission;VAT;Net Payable;Batch;Card",
    "1;Sale;0026110512345678901;TXN_1;05-Nov-2026 02:05 PM;1,23,456.00;2,469.12;370.37;1,20,616.51;B-1;VISA **** 1111",
    "2;sale;0026110512345678902;TXN_2;05-Nov-2026 23:59:59;৳ ১,০০০.০০;20.00;3.00;977.00;B-1;বিকাশ",
    "3;REFUND;0026110512345678903;TXN_1;06-Nov-2026;(500.00);0.00;0.00;-500.00;B-2;VISA",
    "4;Chargeback;0026110512345678904;TXN_2;07-Nov-2026;1,000.00-;-20.00;-3.00;-977.00;B-2;",
    "5;Chargeback won;0026110512345678904;TXN_2;09-Nov-2026;1000;20;3;977;B-3;",
    ";;;;;;;;;;",
    "SL;Type;Bank Tran ID;TRAN  ID;Transaction Date;Amount (BDT);Commission;VAT;Net Payable;Batch;Card",
    "6;Failed;0026110512345678906;TXN_3;07-Nov-2026;700.00;0;0;0;;",
    "Total: 6;;;;;1,23,956.00;2,469.12;370.37;;;",
    ";;;;;;;;;;Printed by the portal",
    "",
  ].join("\r\n")

  it("gives each line its kind, its signs and its references, and says what it leaves out", async () => {
    expect(await read(FILE, template)).toEqual([
      "5 payment 123456.00 2469.12 370.37 120616.51 BDT 2026-11-05T08:05 0026110512345678901 TXN_1",
      "6 payment 1000.00 20.00 3.00 977.00 BDT 2026-11-05T17:59 0026110512345678902 TXN_2",
      "7 refund -500.00 0.00 0.00 -500.00 BDT 2026-11-05T18:00 0026110512345678903 TXN_1",
      "8 dispute -1000.00 -20.00 -3.00 -977.00 BDT 2026-11-06T18:00 0026110512345678904 TXN_2",
      "9 dispute_reversal 1000.00 20.00 3.00 977.00 BDT 2026-11-08T18:00 0026110512345678904 TXN_2",
      "10 skipped: the line is blank",
      "11 skipped: the names of the columns are repeated",
      '12 skipped: the template leaves out "Failed"',
      '13 skipped: the line begins with "total: 6"',
      expect.stringMatching(/^lines\[14\].*the cell is empty/),
    ])
    const [first] = linesIn(await resultsOf(FILE, template))
    expect(first).toMatchObject({ key: "id:1", batch: "B-1", description: "VISA **** 1111", balance: null })
    expect(first.digest).toMatch(/^[0-9a-f]{64}$/)
  })

  it("a line that comes twice under its id counts once; with other figures it is an error", async () => {
    const [titles, lines] = [FILE.split("\r\n").slice(0, 4), FILE.split("\r\n").slice(4, 6)]
    const repeated = [...titles, ...lines, lines[0], lines[1].replace("977.00", "976.99").replace("20.00", "20.01")]
    expect((await read(repeated.join("\n"), template)).slice(2)).toEqual([
      "7 skipped: the same line as line 5",
      'lines[8].id: line 8: column "SL": the number 2 is on line 6 already, with other figures; choose a column whose numbers are unique',
    ])
  })
})

describe("amounts that a file leaves out, and signs that it writes otherwise", () => {
  const columns = { reference: "Ref", date: "Date", gross: "Gross", fee: "Fee", vat: "VAT", net: "Net", kind: "Kind" }
  const kinds = { p: "payment", r: "refund", d: "dispute", f: "fee", a: "adjustment" }

  const figures = async (row: string, change: object = {}) => {
    const template = templateOf({ kind: "settlement", columns, kinds, ...change })
    const [result] = await resultsOf(`Ref,Date,Kind,Gross,Fee,VAT,Net\nx,2026-11-05,${row}\n`, template)
    return result.outcome === "line"
      ? [result.line.gross, result.line.fee, result.line.vat, result.line.net]
          .map((amount) => formatAmount(amount))
          .join(" ")
      : summaries([result])[0].replace(/^.*?line 2: /, "")
  }

  it.each([
    ["all four", "p,100,2,0.30,97.70", "100.00 2.00 0.30 97.70"],
    ["no net", "p,100,2,0.30,", "100.00 2.00 0.30 97.70"],
    ["no gross", "p,,2,0.30,97.70", "100.00 2.00 0.30 97.70"],
    ["no fee", "p,100,-,0.30,97.70", "100.00 2.00 0.30 97.70"],
    ["no VAT", "p,100,2,,98", "100.00 2.00 0.00 98.00"],
    ["gross alone", "p,100,,,", "100.00 0.00 0.00 100.00"],
    ["net alone", "p,,,,100", "100.00 0.00 0.00 100.00"],
    ["a fee alone", "f,,50,7.50,", "0.00 50.00 7.50 -57.50"],
    ["a fee where amounts stand", "f,-50,,,", "0.00 50.00 0.00 -50.00"],
    ["a fee in the net", "f,,,7.50,-57.50", "0.00 50.00 7.50 -57.50"],
    ["a fee that is given back", "f,50,,,", "0.00 -50.00 0.00 50.00"],
    ["a refund whose fee is given back", "r,-100,-2,-0.30,-97.70", "-100.00 -2.00 -0.30 -97.70"],
    ["a refund that costs a fee", "r,-100,5,0,-105", "-100.00 5.00 0.00 -105.00"],
    ["an adjustment up", "a,10,,,", "10.00 0.00 0.00 10.00"],
    ["an adjustment down", "a,-10,,,", "-10.00 0.00 0.00 -10.00"],
  ])("%s", async (_what, row, expected) => {
    expect(await figures(row)).toBe(expected)
  })

  it.each([
    ["a refund", "r,100,0,0,100", "-100.00 0.00 0.00 -100.00"],
    ["a refund that costs a fee", "r,100,5,0,105", "-100.00 5.00 0.00 -105.00"],
    ["a dispute", "d,100,,,", "-100.00 0.00 0.00 -100.00"],
    ["a charge", "f,50,,,", "0.00 50.00 0.00 -50.00"],
    ["a payment", "p,100,2,0,98", "100.00 2.00 0.00 98.00"],
    ["an adjustment, as it is written", "a,-10,,,", "-10.00 0.00 0.00 -10.00"],
  ])("where what goes is written without a minus: %s", async (_what, row, expected) => {
    expect(await figures(row, { refund_sign: "positive" })).toBe(expected)
  })

  it.each([
    ["a payment", "p,100,-2,-0.30,97.70", "100.00 2.00 0.30 97.70"],
    ["a fee", "f,,-50,-7.50,", "0.00 50.00 7.50 -57.50"],
  ])("where fees are written with a minus: %s", async (_what, row, expected) => {
    expect(await figures(row, { fee_sign: "negative" })).toBe(expected)
  })

  it.each([
    [
      "a net that disagrees names all figures",
      "p,100,2,0.30,97.71",
      "gross 100.00 less fee 2.00 and VAT 0.30 is not net 97.71",
    ],
    [
      "a refund that comes",
      "r,100,,,",
      "a refund of 100.00 has the wrong sign; correct how the template reads signs and kinds",
    ],
    [
      "a payment that goes",
      "p,-100,,,",
      "a payment of -100.00 has the wrong sign; correct how the template reads signs and kinds",
    ],
    [
      "a payment for which a fee is given",
      "p,100,-2,,",
      "a fee of -2.00 has the wrong sign; correct how the template reads signs and kinds",
    ],
    ["no amount", "p,,,,", "there is no amount on the line"],
    ["VAT alone", "p,,,1,", "there is no amount on the line"],
    ["no kind", ",100,,,", 'column "Kind": the cell is empty'],
    [
      "an unknown kind",
      "Reversal,100,,,",
      'column "Kind": "Reversal" has no meaning in the template; say there what it stands for',
    ],
    [
      "a shortened number",
      "p,1.23457E+15,,,",
      'column "Gross": "1.23457E+15" is a number that a spreadsheet has shortened; format the column as text and fill it again',
    ],
    ["three decimals", "p,100.005,,,", 'column "Gross": "100.005" has more than two decimals; round it to two'],
    ["a decimal comma", 'p,"100,50",,,', 'column "Gross": "100,50" is no amount; write it like 1234.50'],
    ["text", "p,free,,,", 'column "Gross": "free" is no amount; write it like 1234.50'],
    ["another currency", "p,USD 100,,,", 'column "Gross": "USD 100" is not in BDT, the currency of the line'],
  ])("refused: %s", async (_what, row, expected) => {
    expect(await figures(row)).toBe(expected)
  })

  it.each([
    ["100", "payment"],
    ["-100", "refund"],
    ["0", "adjustment"],
  ])("without words the sign of %s says %s", async (amount, kind) => {
    const [line] = linesIn(await resultsOf(`Ref,Date,Amount\nx,2026-11-05,${amount}\n`, simple()))
    expect(line.kind).toBe(kind)
  })

  it("or the template says what all lines are, and which words mean something else", async () => {
    const file = "Ref,Date,Amount,T\nx,2026-11-05,5,\ny,2026-11-05,5,other\nz,2026-11-05,-5,Fee\n"
    const columns = { ...SIMPLE.columns, kind: "T" }
    const template = simple({ columns, kinds: { fee: "fee" }, default_kind: "dispute_reversal" })
    expect(linesIn(await resultsOf(file, template)).map(({ kind }) => kind)).toEqual([
      "dispute_reversal",
      "dispute_reversal",
      "fee",
    ])
  })
})

describe("other layouts", () => {
  it("a bank's statement in Bangla, with debit, credit and balance", async () => {
    const template = templateOf({
      kind: "statement",
      columns: {
        date: "তারিখ",
        description: "বিবরণ",
        debit: "ডেবিট",
        credit: "ক্রেডিট",
        balance: "স্থিতি",
        reference: "রেফ",
      },
      kinds: {},
      date_format: "DD/MM/YYYY",
      skip: ["প্রারম্ভিক স্থিতি", "মোট"],
    })
    const file = [
      "আমাদের ব্যাংক লিমিটেড",
      "তারিখ\tবিবরণ\tরেফ\tডেবিট\tক্রেডিট\tস্থিতি",
      "প্রারম্ভিক স্থিতি\t\t\t\t\t১,০০,০০০.০০ CR",
      "০৫/১১/২০২৬\tSETTLEMENT  B-1\tFT2631\t\t১,১৭,৬৬৬.৫১\t২,১৭,৬৬৬.৫১",
      "০৬/১১/২০২৬\tCHARGE\tFT2632\t115.00\t\t২,১৭,৫৫১.৫১",
      "০৭/১১/২০২৬\tA\tFT2633\t-50\t0.00\t500 DR",
      "০৮/১১/২০২৬\tB\tFT2634\t1\t1\t",
      "০৯/১১/২০২৬\tC\tFT2635\t\t\t5",
      "মোট\t\t\t115.00\t১,১৭,৬৬৬.৫১\t",
    ].join("\n")
    const results = await resultsOf(file, template)
    expect(summaries(results)).toEqual([
      '3 skipped: the line begins with "প্রারম্ভিক স্থিতি"',
      "4 deposit 117666.51 0.00 0.00 117666.51 BDT 2026-11-04T18:00 FT2631 ",
      "5 adjustment -115.00 0.00 0.00 -115.00 BDT 2026-11-05T18:00 FT2632 ",
      "6 adjustment -50.00 0.00 0.00 -50.00 BDT 2026-11-06T18:00 FT2633 ",
      "lines[7]: line 7: there is an amount under debit and under credit; a line has one of them",
      "lines[8]: line 8: there is no amount on the line",
      '9 skipped: the line begins with "মোট"',
    ])
    expect(linesIn(results).map(({ balance }) => balance)).toEqual([21766651n, 21755151n, -50000n])
    expect(linesIn(results)[0].description).toBe("SETTLEMENT B-1")
  })

  it("a bank's statement with one amount and its side", async () => {
    const template = templateOf({ kind: "statement", columns: { date: "Date", gross: "Amount" } })
    expect(await read("Date,Amount\n2026-11-05,500.00 Cr\n2026-11-05,20.00 Dr\n", template)).toEqual([
      "2 deposit 500.00 0.00 0.00 500.00 BDT 2026-11-04T18:00  ",
      "3 adjustment -20.00 0.00 0.00 -20.00 BDT 2026-11-04T18:00  ",
    ])
  })

  it("a courier's file with decimal commas, a date and a time apart, and a currency of each line", async () => {
    const template = templateOf({
      kind: "courier",
      columns: { order_reference: "Invoice", date: "Day", time: "Hour", gross: "COD", fee: "Charge", currency: "Cur" },
      date_format: "DD/MM/YYYY",
      decimal: ",",
      time_zone: "UTC",
    })
    const file =
      "Invoice;Day;Hour;COD;Charge;Cur\n#1001;05.11.26;14:05;1.250,50;60;Tk\n1002;5.11.26;;20,00;1,50;USD\n1003;5.11.26;9 pm;1;1;JPY\n"
    expect(await read(file, template)).toEqual([
      "2 payment 1250.50 60.00 0.00 1190.50 BDT 2026-11-05T14:05  #1001",
      "3 payment 20.00 1.50 0.00 18.50 USD 2026-11-05T00:00  1002",
      'lines[4].currency: line 4: column "Cur": "JPY" is no currency that can be paid in; lines[4].date: line 4: column "Day": "9 pm" is no time of day like 14:05',
    ])
  })

  it("XLSX with merged names on two lines, dates and numbers of the spreadsheet, and ids as text", async () => {
    const template = templateOf({
      kind: "settlement",
      columns: { reference: "TrxID", order_reference: "Invoice", date: "Date", gross: "Gross", fee: "Fee" },
      // The spreadsheet's own numbers have a decimal point, and its dates are dates, whatever the template says of text.
      decimal: ",",
      date_format: "MM/DD/YYYY",
    })
    const rows: TestCell[][] = [
      ["Daily settlement", null, null, null, null],
      ["TrxID", "Invoice", "Date", "Amount in BDT", null],
      [null, null, null, "Gross", "Fee"],
      [
        "0BK1234567",
        "00123",
        { day: 46331.58690972222 },
        1250.5,
        { xml: '<c r="{at}"><f>D4*2%</f><v>25.010000000000002</v></c>' },
      ],
      [1234567890123456, "00124", { day: 46331 }, 1, 0],
      ["0BK1234569", "1.23457E+15", "11/05/2026", "1,50", { xml: '<c r="{at}" t="e"><v>#REF!</v></c>' }],
      ["0BK1234570", "00126", 46331, "1,50", 0],
    ]
    expect(await read(xlsxFile(rows, { merged: ["A1:E1", "A2:A3", "D2:E2"] }), template)).toEqual([
      "4 payment 1250.50 25.01 0.00 1225.49 BDT 2026-11-05T08:05 0BK1234567 00123",
      'lines[5].reference: line 5: column "TrxID": cell A5 is a number of 16 digits or more, of which the spreadsheet keeps 15; format the column as text and fill it again',
      'lines[6].fee: line 6: column "Fee": cell E6 shows the error #REF!; correct it in the spreadsheet; lines[6].order_reference: line 6: column "Invoice": "1.23457E+15" is a number that a spreadsheet has shortened; format the column as text and fill it again',
      'lines[7].date: line 7: column "Date": "46331" is no date like MM/DD/YYYY; correct it, or choose another format in the template',
    ])
  })

  it("what a spreadsheet has spoilt in a column that nobody needs is nobody's concern", async () => {
    const rows: TestCell[][] = [
      ["Ref", "Date", "Amount", "Phone"],
      ["x", "2026-11-05", 5, 8801712345678901],
    ]
    expect(await read(xlsxFile(rows), simple())).toEqual(["2 payment 5.00 0.00 0.00 5.00 BDT 2026-11-04T18:00 x "])
  })

  it.each([
    ["no date", "x,,5", 'lines[2].date: line 2: column "Date": the cell is empty'],
    [
      "a date that does not exist",
      "x,2026-02-30,5",
      'lines[2].date: line 2: column "Date": "2026-02-30" is no date like YYYY-MM-DD; correct it, or choose another format in the template',
    ],
    [
      "too long a reference",
      `${"x".repeat(255)},2026-11-05,5`,
      'lines[2].reference: line 2: column "Ref": the text may be at most 254 characters long',
    ],
    [
      "several faults",
      "9E+12,5,five",
      'lines[2].gross: line 2: column "Amount": "five" is no amount; write it like 1234.50; lines[2].reference: line 2: column "Ref": "9E+12" is a number that a spreadsheet has shortened; format the column as text and fill it again; lines[2].date: line 2: column "Date": "5" is no date like YYYY-MM-DD; correct it, or choose another format in the template',
    ],
  ])("%s is an error of its line alone", async (_what, row, error) => {
    expect(await read(`Ref,Date,Amount\n${row}\ny,2026-11-05,5\n`, simple())).toEqual([
      error,
      "3 payment 5.00 0.00 0.00 5.00 BDT 2026-11-04T18:00 y ",
    ])
  })

  it("a description is cut, in the middle of no character, and has one line", async () => {
    const columns = { ...SIMPLE.columns, description: "Note" }
    const long = `${"x".repeat(LIMITS.descriptionMaxChars - 2)}😀y`
    const file = `Ref,Date,Amount,Note\nx,2026-11-05,5,"a\n \tb"\ny,2026-11-05,5,${long}\n`
    expect(linesIn(await resultsOf(file, simple({ columns }))).map(({ description }) => description)).toEqual([
      "a b",
      `${"x".repeat(LIMITS.descriptionMaxChars - 2)}…`,
    ])
  })
})

describe("the identity of lines", () => {
  const file = (rows: readonly string[]) => ["Ref,Date,Amount", ...rows, ""].join("\n")
  const row = fc
    .tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("5", "6.50"))
    .map(([ref, amount]) => `${ref},2026-11-05,${amount}`)
  const keysOf = async (rows: readonly string[]) => linesIn(await resultsOf(file(rows), simple())).map(({ key }) => key)

  it("is what they say: equal lines are counted, and each key is there once", async () => {
    const keys = await keysOf(["a,2026-11-05,5", "a,2026-11-05,5.00", "b,2026-11-05,5"])
    expect(keys[0]).toMatch(/^hash:[0-9a-f]{64}:0$/)
    expect(keys[1]).toBe(keys[0].replace(/0$/, "1"))
    expect(new Set(keys).size).toBe(3)
  })

  it("does not depend on the other lines, nor on their order, nor on how the file is written", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(row, { minLength: 1, maxLength: 12 })
          .chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
        async ([rows, shuffled]) => {
          const keys = await keysOf(rows)
          expect([...(await keysOf(shuffled))].sort()).toEqual([...keys].sort())
          expect(new Set(keys).size).toBe(rows.length)
          const table = ["Ref,Date,Amount", ...rows].map((line) => line.split(",") as TestCell[])
          expect(linesIn(await resultsOf(xlsxFile(table), simple())).map(({ key }) => key)).toEqual(keys)
        }
      ),
      { numRuns: 40 }
    )
  })

  it("a line without an id is known by what it says, among others that have one", async () => {
    const template = simple({ columns: { ...SIMPLE.columns, id: "Id" } })
    const keys = linesIn(await resultsOf("Id,Ref,Date,Amount\n7,a,2026-11-05,5\n,a,2026-11-05,5\n", template)).map(
      ({ key }) => key
    )
    expect(keys).toEqual(["id:7", expect.stringMatching(/^hash:.{64}:0$/)])
  })
})

describe("the names of the columns", () => {
  it.each([
    ["with other spaces, capitals and forms of Unicode", "\u00a0REF ,date,  Amount\nx,2026-11-05,5\n", {}],
    ["below lines that have one of them", "Amount,,\nRef,x,y\nRef,Date,Amount\nx,2026-11-05,5\n", {}],
    ["on the line that the template names", "Ref,Date,Amount\nRef,Date,Amount\nx,2026-11-05,5\n", { header_line: 2 }],
    ["in another order, among others", "No,Amount,Other,Date,Ref,\n1,5,,2026-11-05,x,\n", {}],
  ])("are found %s", async (_what, file, change) => {
    expect(linesIn(await resultsOf(file, simple(change))).map(({ reference, gross }) => [reference, gross])).toEqual([
      ["x", 500n],
    ])
  })

  it("a second column of the same name has a number", async () => {
    const file = "Ref,Date,Amount,amount\nx,2026-11-05,5,7\n"
    const template = simple({ columns: { ...SIMPLE.columns, gross: "Amount [2]" } })
    expect(linesIn(await resultsOf(file, template))[0].gross).toBe(700n)
  })

  it.each([
    [
      "lack one",
      "Ref,Date,Sum\nx,2026-11-05,5\n",
      {},
      'VALIDATION_ERROR line 1: the names of the columns lack "Amount"; the template needs them',
    ],
    [
      "are not there",
      "a,b,c\n1,2,3\n",
      {},
      'VALIDATION_ERROR none of the first 100 lines has the columns of the template: "Ref", "Date", "Amount"',
    ],
    [
      "come too late",
      `${"x,y\n".repeat(100)}Ref,Date,Amount\nx,2026-11-05,5\n`,
      {},
      'VALIDATION_ERROR none of the first 100 lines has the columns of the template: "Ref", "Date", "Amount"',
    ],
    [
      "are on another line than the template names",
      "Ref,Date,Amount\nx,2026-11-05,5\n",
      { header_line: 2 },
      'VALIDATION_ERROR line 2 does not have the columns of the template: "Ref", "Date", "Amount"',
    ],
    [
      "are followed by nothing",
      "Ref,Date,Amount\n\n",
      {},
      "VALIDATION_ERROR line 1: the table must have 1 to 100000 lines below the names",
    ],
  ])("refused: names that %s", async (_what, file, change, reason) => {
    expect(await refusal(file, simple(change))).toBe(reason)
  })
})

describe("a long file", () => {
  const rows = async function* (count: number): AsyncGenerator<SheetRow> {
    yield { line: 1, cells: ["Ref", "Date", "Amount"] }
    for (let line = 2; line <= count + 1; line++) {
      yield { line, cells: [`r${line}`, "2026-11-05", "5"] }
    }
  }

  it("comes in batches of a thousand, and nothing is read ahead of who stops", async () => {
    let given = 0
    async function* counted() {
      for await (const row of rows(5_000)) {
        given++
        yield row
      }
    }
    const sizes: number[] = []
    for await (const batch of readSettlement(counted(), simple())) {
      sizes.push(batch.length)
      if (sizes.length === 2) {
        break
      }
    }
    expect([sizes, given]).toEqual([[1_000, 1_000], 2_001])
  })

  it("may have as many lines as it may, and one more is refused at its end", async () => {
    const count = async (lines: number) => {
      let read = 0
      try {
        for await (const batch of readSettlement(rows(lines), simple())) {
          read += batch.length
        }
      } catch (error) {
        return [read, GatewayError.is(error) && error.message]
      }
      return [read, null]
    }
    // Fewer than a file may have: reading so many takes seconds.
    const max = 2_500
    const limit = jest.replaceProperty(LIMITS as { settlementLinesMax: number }, "settlementLinesMax", max)
    expect(await count(max)).toEqual([max, null])
    expect(await count(max + 1)).toEqual([max, `line 1: the table must have 1 to ${max} lines below the names`])
    limit.restore()
  })
})
