import { CsvError, parse, type CsvErrorCode } from "csv-parse/sync"
import { GatewayError, summaryOf, type FieldError } from "./errors"
import { translate } from "../../../i18n/translate"
import { messageOf, type Message } from "../../../i18n/message"

/** A record of a CSV file and the line it begins on, counted from 1 as an editor counts. */
export type CsvRecord = { line: number; cells: string[] }

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
 * Parses comma-separated text (RFC 4180). Quoted cells may hold commas, doubled quotes and line ends, which are read as
 * `\n`. A byte order mark, CRLF and empty lines are accepted. Throws MalformedCsv for a quote that is never closed or
 * that stands inside an unquoted cell.
 */
export function parseCsv(text: string): CsvRecord[] {
  const source = text.replace(/\r\n?/g, "\n")
  const records: CsvRecord[] = []
  let read = 0
  try {
    parse(source, {
      bom: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      record_delimiter: "\n",
      on_record: (raw: unknown, { lines }) => {
        const cells = raw as string[]
        read = lines
        if (cells.length > 1 || cells[0].trim() !== "") {
          records.push({ line: lines - lineEndsIn(cells), cells: cells.map((cell) => cell.trim()) })
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

/** A file's header and the records below it; with errors when it cannot be read or has no header. */
export function readTable(
  csv: string
): { header: CsvRecord; rows: CsvRecord[]; errors: [] } | { header: null; errors: FieldError[] } {
  try {
    const [header, ...rows] = parseCsv(csv)
    return header === undefined
      ? { header: null, errors: [lineFault(1, null, messageOf("file.empty"))] }
      : { header, rows, errors: [] }
  } catch (error) {
    if (error instanceof MalformedCsv) {
      return { header: null, errors: [lineFault(error.line, null, error.reason)] }
    }
    throw error
  }
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

/** Rows as comma-separated text (RFC 4180). By hand, because amounts stay numbers while formulas become text. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(writeCell).join(",")}\r\n`).join("")
}

function writeCell(value: string): string {
  const text = FORMULA.test(value) && !AMOUNT.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What is wrong with a line, or with a field of it; the field is named `lines[3].interest_rate`. */
export function lineFault(line: number, field: string | null, what: Message): FieldError {
  return {
    field: field === null ? `lines[${line}]` : `lines[${line}].${field}`,
    reason: messageOf("file.line", { line, what }),
  }
}

/** Throws VALIDATION_ERROR with every line's faults in `details`, when there is any. */
export function refuseFaults(faults: readonly FieldError[]): void {
  if (faults.length > 0) {
    throw new GatewayError("VALIDATION_ERROR", summaryOf(faults), { field: faults[0].field, details: faults })
  }
}
