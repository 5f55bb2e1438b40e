import { CsvError, parse, type CsvErrorCode } from "csv-parse/sync"
import { GatewayError, shortName, summaryOf, type FieldError } from "../errors"
import { LIMITS } from "../limits"
import { translate } from "../../../../i18n/translate"
import { messageOf, type Message } from "../../../../i18n/message"

/** A record of a CSV file and the line it begins on, counted from 1 as an editor counts. */
type CsvRecord = { line: number; cells: string[] }

/** The text is not valid CSV; `line` is where it breaks, or where a record with an open quote begins. */
export class MalformedCsv extends Error {
  constructor(
    readonly line: number,
    readonly reason: Message
  ) {
    super(translate(reason))
  }
}

const QUOTE_FAULTS: Partial<Record<CsvErrorCode, Message>> = {
  CSV_QUOTE_NOT_CLOSED: messageOf("file.quote_open"),
  INVALID_OPENING_QUOTE: messageOf("file.quote_inside"),
  CSV_INVALID_CLOSING_QUOTE: messageOf("file.quote_followed"),
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: messageOf("file.quote_followed"),
}

/**
 * Parses separated text (RFC 4180), also as spreadsheets save it: with semicolons or tabs, a byte order mark, CRLF, and
 * lines that are empty but for separators, which are left out. Quoted cells may hold separators, doubled quotes and line
 * ends, which are read as `\n`. Throws MalformedCsv for a quote that is never closed or that stands inside an unquoted
 * cell.
 */
export function parseCsv(text: string): CsvRecord[] {
  const source = withNewlines(text)
  const records: CsvRecord[] = []
  let read = 0
  try {
    parse(source, {
      bom: true,
      delimiter: separatorOf(source),
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      record_delimiter: "\n",
      on_record: (raw: unknown, { lines }) => {
        const cells = raw as string[]
        read = lines
        if (cells.some((cell) => cell.trim() !== "")) {
          records.push({ line: lines - lineEndsIn(cells), cells: cells.map(readCell) })
        }
        return null
      },
    })
  } catch (error) {
    const reason = error instanceof CsvError ? QUOTE_FAULTS[error.code] : undefined
    if (reason === undefined) {
      throw error
    }
    const isOpen = (error as CsvError).code === "CSV_QUOTE_NOT_CLOSED"
    throw new MalformedCsv(isOpen ? nextFilledLine(source, read) : Number((error as CsvError).lines), reason)
  }
  return records
}

const SEPARATORS = [",", ";", "\t"]

/** What separates the names of the columns: of the separators, the one that is most often in the first filled line. */
function separatorOf(source: string): string {
  const unquoted = source.replace(/"[^"]*"/g, (cell) => (/[^\s"]/.test(cell) ? "x" : ""))
  const header = unquoted.split("\n").find((line) => /[^\s,;\ufeff]/.test(line)) ?? ""
  const counts = SEPARATORS.map((separator) => header.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))]
}

/** Also of a cell as our own files have it, so that a spreadsheet keeps it as it is (`sheetText`). */
function readCell(cell: string): string {
  const text = cell.trim()
  return /^="[^"]*"$/.test(text) ? text.slice(2, -1) : text
}

/** What a table must have: `count` says how many lines there may be below the names of the columns. */
export type TableShape = { columns: readonly string[]; required: readonly string[]; maxRows: number; count: Message }
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
  const excess = excessOf(withNewlines(csv), shape)
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
  const read = rows.map((row) => readRow(names, row, readLine))
  return { lines: read.flatMap(({ value }) => value ?? []), errors: read.flatMap(({ errors }) => errors) }
}

/** The first line with too many cells, or the header's when too many lines follow it; null: neither. */
function excessOf(source: string, { maxRows, count }: TableShape): FieldError | null {
  const { csvColumnsMax: max } = LIMITS
  const separator = separatorOf(source)
  let [line, start, cells, filled, header] = [1, 1, 1, 0, 0]
  let [isQuoted, isBlank] = [false, true]
  for (const character of source) {
    isQuoted = isQuoted !== (character === '"')
    line += character === "\n" ? 1 : 0
    if (character === "\n" && !isQuoted) {
      ;[start, cells, isBlank] = [line, 1, true]
    } else if (character === separator && !isQuoted) {
      cells++
    } else if (character > " " && character !== '"' && character !== "\ufeff") {
      filled += isBlank ? 1 : 0
      header ||= start
      isBlank = false
    }
    if (cells > max) {
      return lineFault(start, null, messageOf("file.cells_max", { max }))
    }
    if (filled > maxRows + 1) {
      return lineFault(header, null, count)
    }
  }
  return null
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
  readLine: ReadLine<Line>
): { value: Line | null; errors: FieldError[] } {
  // A spreadsheet writes columns that were emptied, too.
  if (cells.length < names.length || withoutEmptyEnd(cells).length > names.length) {
    const reason = messageOf("file.cells", { count: cells.length, columns: names.length })
    return { value: null, errors: [lineFault(line, null, reason)] }
  }
  const { value, failures } = readLine(Object.fromEntries(names.map((name, index) => [name, cells[index]])), line)
  return { value, errors: failures.map(({ field, reason }) => lineFault(line, field, reason)) }
}

function withoutEmptyEnd(cells: string[]): string[] {
  return cells.slice(0, cells.map((cell) => cell !== "").lastIndexOf(true) + 1)
}

function withNewlines(text: string): string {
  return text.replace(/\r\n?/g, "\n")
}

/** The parser counts the line that a record ends on. */
function lineEndsIn(cells: string[]): number {
  return cells.reduce((count, cell) => count + cell.split("\n").length - 1, 0)
}

/** Where the record begins that follows the first `read` lines: the parser names the text's last line for it. */
function nextFilledLine(source: string, read: number): number {
  const rest = source.split("\n").slice(read)
  return (
    read +
    1 +
    Math.max(
      0,
      rest.findIndex((line) => line.trim() !== "")
    )
  )
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
/** and what it may: amounts, numbers without leading zeros and not so long that they become 1.2E+15, and whole times. */
const IS_NUMBER = [AMOUNT, /^(0|[1-9][0-9]{0,10})(\.[0-9]+)?$/, /^[0-9]{4}(-[0-9]{2}){2} [0-9]{2}(:[0-9]{2}){2}$/]

/** Rows for people, who open them in a spreadsheet: ids, phones and references stay as they are, amounts numbers. */
export function sheetText(rows: readonly (readonly string[])[]): string {
  const isText = (value: string) => LIKE_NUMBER.test(value) && !IS_NUMBER.some((pattern) => pattern.test(value))
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

/** What is wrong with a line, or with a field of it; the field is named `lines[3].interest_rate`. */
export function lineFault(line: number, field: string | null, what: Message): FieldError {
  return {
    field: field === null ? `lines[${line}]` : `lines[${line}].${field}`,
    reason: messageOf("file.line", { line, what }),
  }
}

/** Throws VALIDATION_ERROR for the faults of a file's lines, when there is any. */
export function refuseFaults(faults: readonly FieldError[]): void {
  if (faults.length > 0) {
    throw new GatewayError("VALIDATION_ERROR", summaryOf(faults), { field: faults[0].field, details: faults })
  }
}
