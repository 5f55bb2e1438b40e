import { messageOf } from "../../../../i18n/message"
import { asciiDigits } from "../../../../i18n/typed"
import { shortName } from "../../kernel/errors"
import { refuseFaults, refuseFile } from "../../kernel/text/csv"
import { readWrittenDate, type DateFormat } from "../../kernel/money/written"
import { lineFault } from "../../kernel/text/csv-records"
import type { SheetRow } from "./sheet"
import {
  DATE_FORMATS,
  HEADER_LINES_MAX,
  normalName,
  TEMPLATE_COLUMNS,
  TEMPLATE_DEFAULTS,
  type SettlementTemplate,
  type TemplateColumn,
} from "./template"

/** Where a template's columns are in a file; `index` counts from 0, `name` is as the file writes it. */
export type Header = { line: number; columns: ReadonlyMap<TemplateColumn, { index: number; name: string }> }

/** Names of columns on two lines, one of them in merged cells, and a line of units or a translation. */
const HEADER_ROWS_MAX = 3
/** A line that has fewer of the names is a title that happens to be one of them. */
const NAMES_MIN = 2

/**
 * The names of a line's columns, as a template refers to them: the second "Amount" is "Amount [2]". An empty cell, such as
 * the rest of a merged one, has no name.
 */
export function columnNames(cells: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return cells.map((cell) => {
    const name = cell.normalize("NFC").replace(/\s+/g, " ").trim()
    const count = (seen.get(normalName(name)) ?? 0) + 1
    seen.set(normalName(name), count)
    return count === 1 || name === "" ? name : `${name} [${count}]`
  })
}

/** Finds the names of the columns in rows that come one by one. */
export class HeaderSearch {
  private readonly wanted: ReadonlyMap<string, TemplateColumn[]>
  private readonly rows: SheetRow[] = []
  /** The first line with enough of the names, and those that it lacks. */
  private almost: { line: number; missing: string[] } | null = null

  constructor(private readonly template: SettlementTemplate) {
    const wanted = new Map<string, TemplateColumn[]>()
    for (const [column, name] of Object.entries(template.columns) as [TemplateColumn, string][]) {
      wanted.set(normalName(name), [...(wanted.get(normalName(name)) ?? []), column])
    }
    this.wanted = wanted
  }

  /**
   * The header, once its last row has come. It is the first line that has all names, by itself or with the next two, or
   * the line that the template names. Throws VALIDATION_ERROR when it cannot come any more.
   */
  next(row: SheetRow): Header | null {
    this.rows.push(row)
    const latest = this.rows.slice(-HEADER_ROWS_MAX)
    for (let from = latest.length - 1; from >= 0; from--) {
      const header = this.headerOf(latest.slice(from))
      if (header !== null) {
        return header
      }
    }
    const max = this.template.header_line ?? HEADER_LINES_MAX
    return row.line >= max + HEADER_ROWS_MAX - 1 ? this.refuse() : null
  }

  /** Throws VALIDATION_ERROR that says which names are missing. */
  refuse(): never {
    if (this.rows.length === 0) {
      refuseFile(messageOf("file.empty"))
    }
    const quoted = (names: readonly string[]) => names.map((name) => `"${shortName(name)}"`).join(", ")
    if (this.almost !== null) {
      const { line, missing } = this.almost
      refuseFaults([lineFault(line, null, messageOf("file.header_columns", { columns: quoted(missing) }))])
    }
    const { header_line: line, columns } = this.template
    const names = quoted(Object.values(columns))
    return line === null
      ? refuseFile(messageOf("file.header_missing", { max: HEADER_LINES_MAX, columns: names }))
      : refuseFile(messageOf("file.header_not_there", { line, columns: names }))
  }

  private headerOf(rows: readonly SheetRow[]): Header | null {
    const [{ line }] = rows
    const { header_line: chosen, columns } = this.template
    if (chosen === null ? line > HEADER_LINES_MAX : line !== chosen) {
      return null
    }
    const found = new Map<string, { index: number; name: string }>()
    for (const [nth, { cells }] of rows.entries()) {
      const before = found.size
      columnNames(cells).forEach((name, index) => {
        const key = normalName(name)
        if (this.wanted.has(key) && !found.has(key)) {
          found.set(key, { index, name })
        }
      })
      const needed = nth > 0 ? before + 1 : chosen === null ? Math.min(NAMES_MIN, this.wanted.size) : 1
      if (found.size < needed) {
        return null
      }
    }
    const missing = [...this.wanted.keys()].filter((key) => !found.has(key))
    if (missing.length > 0) {
      const names = Object.values(columns).filter((name) => missing.includes(normalName(name)))
      this.almost ??= { line, missing: [...new Set(names)] }
      return null
    }
    const places = [...found].flatMap(([key, place]) =>
      (this.wanted.get(key) ?? []).map((name) => [name, place] as const)
    )
    return { line, columns: new Map(places) }
  }
}

/** Words of headers, as `normalName` gives them without what separates words; the first are the likeliest. */
const KNOWN: Record<TemplateColumn, readonly string[]> = {
  id: ["line id", "row id", "settlement id line", "balance transaction id"],
  kind: [
    "transaction type",
    "trx type",
    "type",
    "reporting category",
    "category",
    "status",
    "delivery status",
    "ধরন",
    "লেনদেনের ধরন",
    "অবস্থা",
  ],
  reference: [
    ...["bank tran id", "bank transaction id", "trx id", "trxid", "transaction id", "payment ref id", "payment id"],
    ...[
      "source id",
      "consignment id",
      "tracking id",
      "reference",
      "ref no",
      "লেনদেন আইডি",
      "ট্রানজেকশন আইডি",
      "ট্রানজ্যাকশন আইডি",
      "লেনদেন নম্বর",
      "লেনদেন",
      "কনসাইনমেন্ট আইডি",
    ],
  ],
  order_reference: [
    ...[
      "tran id",
      "merchant invoice number",
      "merchant order id",
      "invoice number",
      "invoice no",
      "invoice",
      "order id",
    ],
    ...["order number", "order no", "merchant reference", "অর্ডার আইডি", "অর্ডার নম্বর", "অর্ডার", "ইনভয়েস নম্বর", "ইনভয়েস"],
  ],
  date: [
    ...["transaction date", "trx date", "tran date", "payment date", "settlement date", "value date", "posting date"],
    ...["delivery date", "date time", "date", "created utc", "created", "তারিখ", "লেনদেনের তারিখ"],
  ],
  time: ["transaction time", "time", "সময়"],
  gross: [
    ...[
      "gross amount",
      "transaction amount",
      "gross",
      "amount",
      "collected amount",
      "cod amount",
      "collected",
      "total",
    ],
    ...["পরিমাণ", "টাকার পরিমাণ", "মোট পরিমাণ", "টাকা"],
  ],
  fee: [
    ...["fee", "fees", "service charge", "charge", "charges", "commission", "mdr", "delivery charge", "processing fee"],
    ...["ফি", "চার্জ", "সার্ভিস চার্জ", "কমিশন", "ডেলিভারি চার্জ"],
  ],
  vat: ["vat", "vat on fee", "vat amount", "tax", "ভ্যাট"],
  net: [
    ...["net amount", "net", "store amount", "settlement amount", "settled amount", "payable", "payable amount"],
    ...["payout amount", "নিট", "নিট পরিমাণ", "প্রদেয়"],
  ],
  debit: ["debit", "debit amount", "withdrawal", "withdrawals", "dr", "ডেবিট", "উত্তোলন"],
  credit: ["credit", "credit amount", "deposit", "deposits", "cr", "ক্রেডিট", "জমা"],
  balance: ["balance", "running balance", "closing balance", "ব্যালেন্স", "স্থিতি"],
  currency: ["currency", "currency code", "মুদ্রা"],
  batch: [
    "settlement id",
    "batch",
    "batch no",
    "batch id",
    "automatic payout id",
    "payout id",
    "invoice batch",
    "payment batch",
    "ব্যাচ",
  ],
  description: ["description", "narration", "particulars", "details", "remarks", "note", "বিবরণ", "মন্তব্য"],
}

/** Words of a column of kinds that can mean only one thing; what others mean, an admin says. */
const KNOWN_KINDS: Readonly<Record<string, "payment" | "refund">> = {
  payment: "payment",
  পেমেন্ট: "payment",
  refund: "refund",
  ফেরত: "refund",
}

function kindsKnown(words: readonly string[]): SettlementTemplate["kinds"] {
  const plain = new Map(words.map((word) => [normalName(word), word.normalize("NFC").replace(/\s+/g, " ").trim()]))
  return Object.fromEntries(
    [...plain].flatMap(([name, word]) => (Object.hasOwn(KNOWN_KINDS, name) ? [[word, KNOWN_KINDS[name]]] : []))
  )
}

/** Which of the first rows is the likeliest to have the names of the columns: the one with the most known ones; from 0. */
export function likelyHeader(rows: readonly SheetRow[]): number {
  const known = rows.map(({ cells }) => columnsKnown(columnNames(cells)).size)
  return Math.max(0, known.indexOf(Math.max(...known)))
}

/**
 * A first proposal of a template for a file, from the names of its columns and some rows below them. What it does not
 * find stays out: an admin decides. `zone`: the merchant's.
 */
export function suggestTemplate(
  headers: readonly string[],
  rows: readonly SheetRow[],
  zone = TEMPLATE_DEFAULTS.time_zone
): SettlementTemplate {
  const known = columnsKnown(headers)
  const valuesOf = (column: TemplateColumn) => {
    const index = known.get(column) ?? -1
    return rows.flatMap(({ cells, typed }) => (typed?.has(index) || !cells[index] ? [] : [cells[index]]))
  }
  const isStatement = known.has("debit") || known.has("credit")
  const isCourier = headers.some((name) => /courier|consignment|\bcod\b|delivery|ডেলিভারি|কনসাইনমেন্ট/i.test(name))
  const kind = isStatement ? "statement" : isCourier ? "courier" : "settlement"
  const unfit: readonly TemplateColumn[] = isStatement ? ["gross", "fee", "vat", "net"] : ["debit", "credit", "balance"]
  const columns = [...known].filter(([column]) => !unfit.includes(column))
  const money = (["gross", "fee", "net", "debit", "credit"] as const).flatMap(valuesOf).map(asciiDigits)
  const isNegative = (text: string) => /^\(|^-|-$/.test(text.trim())
  return {
    ...TEMPLATE_DEFAULTS,
    kind,
    columns: Object.fromEntries(columns.map(([column, index]) => [column, headers[index]])),
    currency: known.has("currency") ? null : TEMPLATE_DEFAULTS.currency,
    // A bank's lines are neither.
    kinds: isStatement ? {} : kindsKnown(valuesOf("kind")),
    default_kind: known.has("kind") ? null : "by_sign",
    date_format: likelyFormat(valuesOf("date")),
    time_zone: /\butc\b/.test(normalWords(headers[known.get("date") ?? -1] ?? "")) ? "UTC" : zone,
    decimal: money.some((text) => /,[0-9]{1,2}[^0-9.,]*$/.test(text)) ? "," : ".",
    fee_sign: valuesOf("fee").some(isNegative) ? "negative" : "positive",
  }
}

function normalWords(name: string): string {
  return normalName(name.replace(/[^\p{L}\p{M}\p{N}]+/gu, " "))
}

/** Each column once, and each header for one column: whole names before parts of names, earlier words before later ones. */
function columnsKnown(headers: readonly string[]): Map<TemplateColumn, number> {
  const names = headers.map(normalWords)
  const found = new Map<TemplateColumn, number>()
  const taken = new Set<number>()
  const fits = [
    (name: string, word: string) => name === word,
    (name: string, word: string) => ` ${name} `.includes(` ${word} `),
  ]
  for (const fit of fits) {
    for (const column of TEMPLATE_COLUMNS) {
      const places = KNOWN[column].map((word) => names.findIndex((name, index) => !taken.has(index) && fit(name, word)))
      const place = places.find((index) => index >= 0)
      if (place !== undefined && !found.has(column)) {
        found.set(column, place)
        taken.add(place)
      }
    }
  }
  return found
}

/** The first format that reads all dates, or most of them; day before month, as in Bangladesh. */
function likelyFormat(dates: readonly string[]): DateFormat {
  const read = (format: DateFormat) =>
    dates.filter((text) => readWrittenDate(text, format, "UTC") instanceof Date).length
  const counts = DATE_FORMATS.map(read)
  return DATE_FORMATS[counts.indexOf(Math.max(...counts))]
}
