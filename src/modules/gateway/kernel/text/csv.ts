import { GatewayError, shortName, summaryOf, type FieldError } from "../errors"
import { messageOf, type Message } from "../../../../i18n/message"
import { typedAmount } from "../../../../i18n/typed"
import { CsvBounds, lineFault, MalformedCsv, parseCsv, separatorOf, withNewlines, type CsvRecord } from "./csv-records"

/**
 * What a table must have: `count` says how many lines there may be below the names of the columns. `numbers` are columns
 * whose cells are written as people write them: ৳১,০০০.০০ is 1000.00.
 */
export type TableShape = {
  columns: readonly string[]
  required: readonly string[]
  numbers?: readonly string[]
  maxRows: number
  count: Message
}
/** What a line holds, by the names of its columns, or what is wrong with it. */
type ReadLine<Line> = (
  fields: Record<string, string>,
  line: number
) => { value: Line; failures: readonly [] } | { value: null; failures: readonly FieldError[] }

/**
 * Reads the lines below a file's header, or what is wrong with all of them, in their order; the fields of errors are
 * named `lines[3].interest_rate`. Lines and columns are counted before any cell is read (decisions: Lengths before
 * contents).
 */
export function readTable<Line>(
  csv: string,
  shape: TableShape,
  readLine: ReadLine<Line>
): { lines: Line[]; errors: FieldError[] } {
  const source = withNewlines(csv)
  const excess = new CsvBounds(separatorOf(source), { rows: shape }).push(source)
  if (excess !== null) {
    return { lines: [], errors: [excess] }
  }
  const { records, malformed } = recordsOf(csv)
  const [header, ...rows] = records
  if (header === undefined) {
    return { lines: [], errors: [malformed ?? lineFault(1, null, messageOf("file.empty"))] }
  }
  const names = withoutEmptyEnd(header.cells).map((cell) => cell.toLowerCase())
  const wrong = headerFaults(header.line, names, rows.length, shape)
  if (wrong.length > 0) {
    return { lines: [], errors: wrong }
  }
  const read = rows.map((row) => readRow(names, row, shape, readLine))
  return { lines: read.flatMap(({ value }) => value ?? []), errors: read.flatMap(({ errors }) => errors) }
}

function recordsOf(csv: string): { records: CsvRecord[]; malformed: FieldError | null } {
  try {
    return { records: parseCsv(csv), malformed: null }
  } catch (error) {
    if (error instanceof MalformedCsv) {
      return { records: [], malformed: lineFault(error.line, null, error.reason) }
    }
    throw error
  }
}

function headerFaults(line: number, names: string[], rows: number, shape: TableShape): FieldError[] {
  const { columns, required, count } = shape
  const unknown = names.filter((name) => !columns.includes(name))
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  const missing = required.filter((name) => !names.includes(name))
  const reasons = [
    ...unknown.map((name) => messageOf("file.column_unknown", { name: shortName(name), columns: columns.join(", ") })),
    ...repeated.map((name) => messageOf("file.column_twice", { name: shortName(name) })),
    ...missing.map((name) => messageOf("file.column_missing", { name })),
  ]
  return (reasons.length === 0 && rows === 0 ? [count] : reasons).map((reason) => lineFault(line, null, reason))
}

function readRow<Line>(
  names: string[],
  { line, cells }: CsvRecord,
  { numbers = [] }: TableShape,
  readLine: ReadLine<Line>
): { value: Line | null; errors: FieldError[] } {
  // A spreadsheet writes columns that were emptied, too.
  if (cells.length < names.length || withoutEmptyEnd(cells).length > names.length) {
    const reason = messageOf("file.cells", { count: cells.length, columns: names.length })
    return { value: null, errors: [lineFault(line, null, reason)] }
  }
  const fields = names.map((name, index) => [name, numbers.includes(name) ? typedAmount(cells[index]) : cells[index]])
  const { value, failures } = readLine(Object.fromEntries(fields) as Record<string, string>, line)
  return { value, errors: failures.map(({ field, reason }) => lineFault(line, field, reason)) }
}

function withoutEmptyEnd(cells: string[]): string[] {
  return cells.slice(0, cells.map((cell) => cell !== "").lastIndexOf(true) + 1)
}

const AMOUNT = /^-?[0-9]+\.[0-9]{2}$/
/**
 * A spreadsheet would run such text as a formula, and an order_id can be any text that a shopper sent. Some take the
 * full-width signs for the others, or skip a line end before them.
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/**
 * Rows as comma-separated text (RFC 4180), for programs. By hand, because amounts stay numbers while formulas become
 * text.
 */
export function csvText(rows: readonly (readonly string[])[]): string {
  return linesOf(rows, harmless)
}

/** What a spreadsheet would take for a number, a date or a time, */
const LIKE_NUMBER = /^\+?[0-9][0-9.,:/ eE+-]*$/
/** such as an order's id MAR1 or 5-DEC, which would become a day of this year, */
const MONTHS =
  "jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?"
const LIKE_DATE = new RegExp(`^([0-9]{1,4}[ /-]?)?(${MONTHS})[ /.-]?([0-9]{1,4}([ ,/-]+[0-9]{1,4})?)?$`, "i")
/** and what it may: amounts, numbers without leading zeros and not so long that they become 1.2E+15, and whole times. */
const IS_NUMBER = [AMOUNT, /^(0|[1-9][0-9]{0,10})(\.[0-9]+)?$/, /^[0-9]{4}(-[0-9]{2}){2} [0-9]{2}(:[0-9]{2}){2}$/]

/** Rows for people, who open them in a spreadsheet: ids, phones and references stay as they are, amounts numbers. */
export function sheetText(rows: readonly (readonly string[])[]): string {
  const isText = (value: string) =>
    (LIKE_NUMBER.test(value) && !IS_NUMBER.some((pattern) => pattern.test(value))) ||
    (LIKE_DATE.test(value) && /[0-9]/.test(value))
  return linesOf(rows, (value) => (isText(value) ? `="${value}"` : harmless(value)))
}

function linesOf(rows: readonly (readonly string[])[], write: (value: string) => string): string {
  return rows.map((cells) => `${cells.map((cell) => quoted(write(cell))).join(",")}\r\n`).join("")
}

function harmless(value: string): string {
  return FORMULA.test(value) && !AMOUNT.test(value) ? `'${value}` : value
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Throws VALIDATION_ERROR for what is wrong with a file as a whole. */
export function refuseFile(reason: Message): never {
  throw new GatewayError("VALIDATION_ERROR", reason, { field: "file", details: [{ field: "file", reason }] })
}

/** Throws VALIDATION_ERROR for the faults of a file's lines, when there is any. */
export function refuseFaults(faults: readonly FieldError[]): void {
  if (faults.length > 0) {
    throw new GatewayError("VALIDATION_ERROR", summaryOf(faults), { field: faults[0].field, details: faults })
  }
}
