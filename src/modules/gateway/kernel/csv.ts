import { GatewayError, summaryOf, type FieldError } from "./errors"
import { translate } from "../../../i18n/translate"
import { messageOf, type Message } from "../../../i18n/message"

/** A record of a CSV file and the line it begins on, counted from 1 as an editor counts. */
export type CsvRecord = { line: number; cells: string[] }

/** The text is not valid CSV; `line` is where it breaks. */
export class MalformedCsv extends Error {
  constructor(
    readonly line: number,
    readonly reason: Message
  ) {
    super(translate(reason))
  }
}

/**
 * Parses comma-separated text (RFC 4180). Quoted cells may hold commas, doubled quotes and line ends. A byte order
 * mark, CRLF and empty lines are accepted. Throws MalformedCsv for a quote that is never closed or that stands inside
 * an unquoted cell.
 */
export function parseCsv(text: string): CsvRecord[] {
  const source = text.replace(/^\ufeff/, "")
  const records: CsvRecord[] = []
  let line = 1
  let position = 0
  while (position < source.length) {
    const record: CsvRecord = { line, cells: [] }
    let end = ","
    while (end === ",") {
      const cell = readCell(source, position, line)
      record.cells.push(cell.text)
      line = cell.line
      position = cell.next
      end = source[position] ?? ""
      position += end === "\r" && source[position + 1] === "\n" ? 2 : end === "" ? 0 : 1
    }
    line += 1
    if (record.cells.length > 1 || record.cells[0].trim() !== "") {
      records.push(record)
    }
  }
  return records
}

/** Reads one cell from `start`; `next` is the position of the comma, the line end or the end of the text after it. */
function readCell(source: string, start: number, line: number): { text: string; next: number; line: number } {
  if (source[start] !== '"') {
    let next = start
    while (next < source.length && !",\r\n".includes(source[next])) {
      next += 1
    }
    const text = source.slice(start, next)
    if (text.includes('"')) {
      throw new MalformedCsv(line, messageOf("file.quote_inside"))
    }
    return { text: text.trim(), next, line }
  }
  let text = ""
  let at = line
  for (let next = start + 1; next < source.length; next += 1) {
    if (source[next] !== '"') {
      at += source[next] === "\n" ? 1 : 0
      text += source[next]
    } else if (source[next + 1] === '"') {
      text += '"'
      next += 1
    } else if (next + 1 === source.length || ",\r\n".includes(source[next + 1])) {
      return { text: text.trim(), next: next + 1, line: at }
    } else {
      throw new MalformedCsv(at, messageOf("file.quote_followed"))
    }
  }
  throw new MalformedCsv(line, messageOf("file.quote_open"))
}

const AMOUNT = /^-?[0-9]+\.[0-9]{2}$/
/** A spreadsheet would run such text as a formula, and an order_id can be any text that a shopper sent. */
const FORMULA = /^[=+\-@\t\r]/

/** Rows as comma-separated text (RFC 4180). */
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
