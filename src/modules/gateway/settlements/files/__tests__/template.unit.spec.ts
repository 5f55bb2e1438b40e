import { translate } from "../../../../../i18n/translate"
import { columnNames, likelyHeader, suggestTemplate } from "../columns"
import { fitsTemplate, previewSheet } from "../preview"
import { readSheet } from "../sheet"
import { readTemplate, TEMPLATE_COLUMNS, TEMPLATE_DEFAULTS } from "../template"

const SMALLEST = { kind: "settlement", columns: { reference: "TrxID", date: "Date", gross: "Amount" } }

describe("a template", () => {
  it("gets the defaults of what it leaves out, and comes back the same from JSON", () => {
    const { value } = readTemplate(SMALLEST)
    expect(value).toEqual({ ...TEMPLATE_DEFAULTS, ...SMALLEST })
    expect(readTemplate(JSON.parse(JSON.stringify(value)))).toEqual({ value, failures: [] })
  })

  it("guesses neither kind nor currency where a column says them", () => {
    const columns = { ...SMALLEST.columns, kind: "Type", currency: "Cur" }
    expect(readTemplate({ ...SMALLEST, columns }).value).toMatchObject({ default_kind: null, currency: null })
    expect(readTemplate({ ...SMALLEST, columns, default_kind: "payment", currency: "USD" }).value).toMatchObject({
      default_kind: "payment",
      currency: "USD",
    })
  })

  it("a column that is emptied is not there", () => {
    const columns = { ...SMALLEST.columns, fee: "", vat: null }
    expect(readTemplate({ ...SMALLEST, columns }).value?.columns).toEqual(SMALLEST.columns)
  })

  const faults = (input: unknown) =>
    readTemplate(input).failures.map(({ field, reason }) => {
      expect(/[\u0980-\u09ff]/.test(translate(reason, "bn"))).toBe(true)
      return [field, translate(reason)]
    })

  it.each<[string, unknown, string, string]>([
    ["no object", null, "", "must be an object"],
    ["a list", [], "", "must be an object"],
    ["no kind", { columns: SMALLEST.columns }, "kind", "kind is required"],
    ["no columns", { kind: "settlement" }, "columns", "columns is required"],
    ["columns as a list", { ...SMALLEST, columns: [] }, "columns", "columns must be an object"],
  ])("refused: %s", (_what, input, field, reason) => {
    expect(faults(input)).toContainEqual([field, reason])
  })

  const withColumns = (columns: object, change: object = {}) => ({
    ...SMALLEST,
    ...change,
    columns: { ...SMALLEST.columns, ...columns },
  })

  it.each<[string, object, string, string]>([
    [
      "a kind that is none",
      { ...SMALLEST, kind: "constructor" },
      "kind",
      "kind must be settlement, statement or courier",
    ],
    ["an unknown field", { ...SMALLEST, sheets: 1 }, "sheets", expect.stringContaining("is no field") as string],
    [
      "a column that is none",
      withColumns({ total: "x" }),
      "columns.total",
      expect.stringContaining("is no field") as string,
    ],
    [
      "a name that is none",
      withColumns({ fee: 7 }),
      "columns.fee",
      "columns.fee must be text of at most 255 characters",
    ],
    [
      "a name of spaces",
      withColumns({ fee: " " }),
      "columns.fee",
      "columns.fee must be text of at most 255 characters",
    ],
    ["no date", withColumns({ date: "" }), "columns.date", "columns.date is required"],
    ["no amount", withColumns({ gross: "" }), "columns.gross", "columns.gross is required"],
    [
      "no number to match by",
      withColumns({ reference: "" }),
      "columns.reference",
      "columns.reference is required, or columns.order_reference: lines are matched by numbers, never by amounts alone",
    ],
    [
      "a bank's columns",
      withColumns({ debit: "Dr" }),
      "columns.debit",
      "columns.debit is no column of this kind of template",
    ],
    [
      "an acquirer's columns",
      withColumns({ fee: "Fee" }, { kind: "statement" }),
      "columns.fee",
      "columns.fee is no column of this kind of template",
    ],
    [
      "two amounts of a bank",
      withColumns({ credit: "Cr" }, { kind: "statement" }),
      "columns.gross",
      "columns.gross cannot be given together with columns.debit",
    ],
    ["no currency", { ...SMALLEST, currency: null }, "columns.currency", "columns.currency is required"],
    [
      "a currency that is none",
      { ...SMALLEST, currency: "JPY" },
      "currency",
      "currency must be the code of a currency that can be paid in, like BDT",
    ],
    [
      "a date's format",
      { ...SMALLEST, date_format: "DD.MM" },
      "date_format",
      expect.stringContaining("must be YYYY-MM-DD, ") as string,
    ],
    [
      "a time zone",
      { ...SMALLEST, time_zone: "Dhaka" },
      "time_zone",
      "time_zone must be the name of a time zone, like Asia/Dhaka",
    ],
    ["a decimal mark", { ...SMALLEST, decimal: "'" }, "decimal", "decimal must be . or ,"],
    ["a sign", { ...SMALLEST, refund_sign: "minus" }, "refund_sign", "refund_sign must be negative or positive"],
    ["a sign of fees", { ...SMALLEST, fee_sign: null }, "fee_sign", "fee_sign must be positive or negative"],
    [
      "a line that is none",
      { ...SMALLEST, header_line: 0 },
      "header_line",
      "header_line must be a whole number from 1 to 100",
    ],
    [
      "a line too far down",
      { ...SMALLEST, header_line: 101 },
      "header_line",
      "header_line must be a whole number from 1 to 100",
    ],
    ["a sheet that is none", { ...SMALLEST, sheet: "" }, "sheet", "sheet must be text of at most 255 characters"],
    [
      "words without their column",
      { ...SMALLEST, kinds: { sale: "payment" } },
      "kinds",
      "kinds can only be given together with columns.kind",
    ],
    [
      "a word for nothing",
      withColumns({ kind: "T" }, { kinds: { sale: "sale" } }),
      "kinds.sale",
      expect.stringContaining("must be payment, ") as string,
    ],
    [
      "a word twice",
      withColumns({ kind: "T" }, { kinds: { Sale: "payment", "sale ": "refund" } }),
      "kinds",
      expect.stringContaining("must not have the same word twice") as string,
    ],
    [
      "too many words",
      withColumns({ kind: "T" }, { kinds: Object.fromEntries([...Array(101).keys()].map((word) => [word, "fee"])) }),
      "kinds",
      "kinds must have at most 100 entries",
    ],
    ["words as a list", withColumns({ kind: "T" }, { kinds: [] }), "kinds", "kinds must be an object"],
    ["no kind at all", { ...SMALLEST, default_kind: null }, "columns.kind", "columns.kind is required"],
    [
      "a kind of all lines that is none",
      { ...SMALLEST, default_kind: "skip" },
      "default_kind",
      expect.stringContaining("must be by_sign, ") as string,
    ],
    ["words to skip as text", { ...SMALLEST, skip: "Total" }, "skip", "skip must be a list"],
    [
      "too many words to skip",
      { ...SMALLEST, skip: Array(101).fill("x") },
      "skip",
      "skip must have at most 100 entries",
    ],
    [
      "an empty word to skip",
      { ...SMALLEST, skip: ["Total", ""] },
      "skip[1]",
      "skip[1] must be text of at most 255 characters",
    ],
  ])("refused, and nothing else about it: %s", (_what, input, field, reason) => {
    expect(faults(input)).toEqual([[field, reason]])
  })
})

describe("the names of a file's columns", () => {
  it("have one form, and numbers where they are repeated; an empty one has none", () => {
    expect(columnNames([" Amount ", "", "amount", "তারিখ\n(দিন)", "", "AMOUNT"])).toEqual([
      "Amount",
      "",
      "amount [2]",
      "তারিখ (দিন)",
      "",
      "AMOUNT [3]",
    ])
  })

  const rowsOf = (...rows: string[]) => rows.map((row, index) => ({ line: index + 1, cells: row.split("|") }))

  it("are likeliest where most of the known words are", () => {
    const rows = rowsOf(
      "Settlement report of November",
      "Date|01/11/2026",
      "",
      "Sl|Trx ID|Amount|Date",
      "1|x|5|05/11/2026"
    )
    expect(likelyHeader(rows)).toBe(3)
    expect(likelyHeader(rowsOf("a|b", "1|2"))).toBe(0)
    expect(likelyHeader([])).toBe(0)
  })

  it.each<[string, string, string[], object]>([
    [
      "a card acquirer",
      "bank_tran_id|tran_id|Transaction Date|Transaction Type|Amount|Service Charge|VAT|Store Amount|Currency|Settlement ID",
      ["1|T1|05/11/2026 10:00|Sale|100.00|-2.00|-0.30|97.70|BDT|S1"],
      {
        kind: "settlement",
        columns: {
          reference: "bank_tran_id",
          order_reference: "tran_id",
          date: "Transaction Date",
          kind: "Transaction Type",
          gross: "Amount",
          fee: "Service Charge",
          vat: "VAT",
          net: "Store Amount",
          currency: "Currency",
          batch: "Settlement ID",
        },
        date_format: "DD/MM/YYYY",
        fee_sign: "negative",
        default_kind: null,
        currency: null,
      },
    ],
    [
      "a wallet",
      "trxID|Merchant Invoice Number|Date Time|Amount (BDT)|Fee|Net Amount",
      ["9AB|T1|2026-11-05T10:00:00|1,23,456.00|18.50|1,23,437.50"],
      {
        kind: "settlement",
        columns: {
          reference: "trxID",
          order_reference: "Merchant Invoice Number",
          date: "Date Time",
          gross: "Amount (BDT)",
          fee: "Fee",
          net: "Net Amount",
        },
        date_format: "YYYY-MM-DD",
        decimal: ".",
        fee_sign: "positive",
      },
    ],
    [
      "a wallet in Bangla",
      "লেনদেন আইডি|ইনভয়েস নম্বর|তারিখ|পরিমাণ|ফি|নিট পরিমাণ",
      ["9AB|T1|০৫-নভেম্বর-২০২৬|১.০০০,০০|১৮,৫০|৯৮১,৫০"],
      {
        columns: {
          reference: "লেনদেন আইডি",
          order_reference: "ইনভয়েস নম্বর",
          date: "তারিখ",
          gross: "পরিমাণ",
          fee: "ফি",
          net: "নিট পরিমাণ",
        },
        date_format: "DD/MM/YYYY",
        decimal: ",",
      },
    ],
    [
      "Stripe's report, whose times are in UTC",
      "balance_transaction_id|reporting_category|source_id|created_utc|gross|fee|net|currency|automatic_payout_id",
      ["txn_1|charge|ch_1|2026-10-31 19:00:00|10.00|0.59|9.41|bdt|po_1"],
      {
        columns: {
          id: "balance_transaction_id",
          kind: "reporting_category",
          reference: "source_id",
          date: "created_utc",
          gross: "gross",
          fee: "fee",
          net: "net",
          currency: "currency",
          batch: "automatic_payout_id",
        },
        time_zone: "UTC",
      },
    ],
    [
      "a bank",
      "Value Date|Particulars|Ref No|Withdrawal|Deposit|Running Balance",
      ["11/30/2026|x|F1|10.00||90.00"],
      {
        kind: "statement",
        columns: {
          date: "Value Date",
          description: "Particulars",
          reference: "Ref No",
          debit: "Withdrawal",
          credit: "Deposit",
          balance: "Running Balance",
        },
        date_format: "MM/DD/YYYY",
      },
    ],
    [
      "a courier",
      "Consignment ID|Merchant Order ID|Delivery Date|Collected Amount|Delivery Charge|COD Status",
      ["C1|1001|Nov 5, 2026|1250|60|Delivered"],
      {
        kind: "courier",
        columns: {
          reference: "Consignment ID",
          order_reference: "Merchant Order ID",
          date: "Delivery Date",
          gross: "Collected Amount",
          fee: "Delivery Charge",
          kind: "COD Status",
        },
        date_format: "MM/DD/YYYY",
      },
    ],
    ["a file that nobody knows", "a|b", ["1|2"], { kind: "settlement", columns: {}, date_format: "YYYY-MM-DD" }],
  ])("suggest a template: %s", (_what, header, rows, expected) => {
    const suggested = suggestTemplate(columnNames(header.split("|")), rowsOf(...rows))
    expect(suggested).toMatchObject(expected)
    expect(suggested.columns).toEqual((expected as { columns: object }).columns)
    // What it has can be stored; what it lacks, an admin chooses.
    const missing = readTemplate(suggested).failures.map(({ field }) => field)
    expect(missing).toEqual(Object.keys(suggested.columns).length > 0 ? [] : expect.arrayContaining(["columns.date"]))
  })

  it("a new one has the merchant's time zone, unless it or the file says another (decisions: Days)", () => {
    const zone = "America/New_York"
    expect(readTemplate(SMALLEST, zone).value?.time_zone).toBe(zone)
    expect(readTemplate({ ...SMALLEST, time_zone: "UTC" }, zone).value?.time_zone).toBe("UTC")
    const suggested = ["Date", "Date (UTC)"].map((name) => suggestTemplate([name, "Amount"], [], zone).time_zone)
    expect(suggested).toEqual([zone, "UTC"])
  })

  it("no column is suggested for two things", () => {
    const header = TEMPLATE_COLUMNS.map((column) => column.replaceAll("_", " "))
    const { columns } = suggestTemplate(header, [])
    expect(new Set(Object.values(columns)).size).toBe(Object.values(columns).length)
  })
})

describe("a look at a file before it is imported", () => {
  const TITLE = ["ক্লিয়ারিং প্রতিবেদন,,,", ",,,"]
  const HEADER = "ধরন,লেনদেন আইডি,তারিখ,পরিমাণ"
  const look = (lines: readonly string[], template: object | null = null, headerLine: number | null = null) => {
    async function* bytes() {
      yield Buffer.from(lines.join("\n"))
    }
    const definition = template === null ? null : readTemplate(template).value
    return previewSheet(readSheet(bytes(), "week.csv"), definition, { headerLine, numbers: null, zone: "UTC" })
  }
  const TEMPLATE = {
    kind: "settlement",
    columns: { kind: "ধরন", reference: "লেনদেন আইডি", date: "তারিখ", gross: "পরিমাণ" },
    kinds: { বিক্রি: "payment" },
    date_format: "DD/MM/YYYY",
  }

  it("shows its first rows, and suggests a template for the names in them", async () => {
    const seen = await look([...TITLE, HEADER, "বিক্রি,T1,১৫/০১/২০২৬,৫০০.০০"])
    expect(seen).toMatchObject({
      header_line: 3,
      suggested: { columns: TEMPLATE.columns, default_kind: null, date_format: "DD/MM/YYYY" },
      reading: null,
    })
    expect(seen.rows.map(({ line, names }) => [line, names[0]])).toEqual([
      [1, "ক্লিয়ারিং প্রতিবেদন"],
      [2, undefined],
      [3, "ধরন"],
      [4, "বিক্রি"],
    ])
  })

  it("suggests one for the names on the line that an admin says", async () => {
    const seen = await look(["Date,Amount,Trx ID", "On,What,Number", "2026-01-15,5.00,T1"], null, 2)
    expect([seen.header_line, seen.suggested?.columns]).toEqual([2, {}])
    expect((await look(["Date,Amount,Trx ID", "2026-01-15,5.00,T1"], null, 99)).header_line).toBe(1)
  })

  it("suggests the words that mean one thing only; lines whose word has no meaning yet are counted", async () => {
    const lines = [
      " Payment ,T1,2026-01-15,500",
      "ফেরত,T2,2026-01-15,-5",
      "Sale,T3,2026-01-15,5",
      "Sale,T4,2026-01-15,x",
    ]
    const { suggested } = await look([HEADER, ...lines])
    expect(suggested?.kinds).toEqual({ Payment: "payment", ফেরত: "refund" })
    const { reading } = await look([HEADER, ...lines], suggested)
    expect(reading).toMatchObject({ read: 4, wrong: 2, unmapped: 1 })
  })

  it("says what each line is by a template, what is skipped and why, and what is wrong anywhere in the file", async () => {
    const sales = Array.from({ length: 25 }, (_, nth) => `বিক্রি,T${nth},১৫/০১/২০২৬,৫০০.০০`)
    const lines = [...sales, "ফি,T25,15/01/2026,5", "মোট,,,12505"]
    const { reading, rows } = await look([...TITLE, HEADER, ...lines], TEMPLATE)
    expect(rows).toHaveLength(30)
    expect(reading).toMatchObject({ read: 27, skipped: 1, wrong: 1, words: ["বিক্রি", "ফি", "মোট"], failures: [] })
    expect(reading?.results).toHaveLength(20)
    expect(reading?.results[0]).toMatchObject({ outcome: "line", line: { line: 4, kind: "payment", gross: 50_000n } })
    expect(reading?.errors.map(({ field, reason }) => [field, translate(reason)])).toEqual([
      ["lines[29].kind", expect.stringContaining('"ফি" has no meaning in the template')],
    ])
  })

  it("says which of the template's columns the file lacks, and still shows the file", async () => {
    const seen = await look(["ধরন,তারিখ,পরিমাণ", "বিক্রি,15/01/2026,5"], TEMPLATE)
    expect(seen.rows).toHaveLength(2)
    expect(seen.reading?.failures.map(({ reason }) => translate(reason))).toEqual([
      expect.stringContaining('"লেনদেন আইডি"'),
    ])
    const columns = { ...TEMPLATE.columns, gross: "টাকা" }
    const stored = [TEMPLATE, { ...TEMPLATE, columns }].map((one) => readTemplate(one).value)
    const { rows } = await look([HEADER, "বিক্রি,T1,15/01/2026,5"])
    expect(stored.map((one) => one !== null && fitsTemplate(rows, one))).toEqual([true, false])
  })

  it("refuses what is no file with rows", async () => {
    await expect(look([""], TEMPLATE)).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "file" })
    await expect(look(["%PDF-1.7"])).rejects.toMatchObject({ field: "file" })
  })
})
