import { pipeline, Readable } from "node:stream"
import { parse, type CsvErrorCode } from "csv-parse/sync"
import { messageOf, type Message } from "../../../../i18n/message"
import { translate } from "../../../../i18n/translate"
import { GatewayError, type FieldError } from "../errors"
import { LIMITS } from "../limits"

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
      ...CSV_OPTIONS,
      bom: true,
      delimiter: separatorOf(source),
      on_record: (raw: unknown, { lines }) => {
        const record = readRecord(raw as string[], lines)
        read = lines
        if (record !== null) {
          records.push(record)
        }
        return null
      },
    })
  } catch (error) {
    throw malformed(error, () => nextFilledLine(source, read))
  }
  return records
}

/** How text is parsed whose lines end with `\n`, at once or as a stream. */
const CSV_OPTIONS = {
  trim: true,
  skip_empty_lines: true,
  relax_column_count: true,
  record_delimiter: "\n",
} as const

/** A record as the parser gives it, which counts the line that it ends on; null: all its cells are empty. */
function readRecord(raw: string[], lastLine: number): CsvRecord | null {
  const cells = raw.map(readCell)
  return cells.some((cell) => cell !== "") ? { line: lastLine - lineEndsIn(raw), cells } : null
}

/**
 * MalformedCsv for an error of the parser about quotes, any other as it is. `openLine`: where the open record begins. The
 * parser at once and the one of streams have a class of errors each.
 */
function malformed(error: unknown, openLine: () => number): unknown {
  const { code, lines } = Object(error) as { code?: CsvErrorCode; lines?: number }
  const reason = code === undefined ? undefined : QUOTE_FAULTS[code]
  return reason === undefined
    ? error
    : new MalformedCsv(code === "CSV_QUOTE_NOT_CLOSED" ? openLine() : Number(lines), reason)
}

const SEPARATORS = [",", ";", "\t"]

/**
 * What separates cells: of the separators, the one that is most often in the first filled lines. In the first are the
 * names of the columns; where titles may stand above them, more lines have to say it. A comma between digits separates no
 * cells for sure.
 */
export function separatorOf(source: string, lines = 1): string {
  const unquoted = source.replace(/"[^"]*"/g, (cell) => (/[^\s"]/.test(cell) ? "x" : ""))
  const filled = unquoted.split("\n").filter((line) => /[^\s,;\ufeff]/.test(line))
  const header = filled
    .slice(0, lines)
    .join("\n")
    .replace(/(?<=\p{Nd}),(?=\p{Nd})/gu, "")
  const counts = SEPARATORS.map((separator) => header.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))]
}

/** Also of a cell as our own files have it, so that a spreadsheet keeps it as it is (`sheetText`). */
function readCell(cell: string): string {
  const text = cell.trim()
  return /^="[^"]*"$/.test(text) ? text.slice(2, -1) : text
}

/** Titles may stand above the names of the columns, and none of them is longer. */
const SAMPLE_CHARS = 65_536
const SAMPLE_LINES = 50

/**
 * The records of a text that comes in parts, as `parseCsv` reads them, and never more of them in memory than a part has.
 * Throws VALIDATION_ERROR for the faults of quotes, and for a line with too many cells or too long a one.
 */
export async function* streamCsv(text: AsyncIterable<string>): AsyncGenerator<CsvRecord & { lastLine: number }> {
  const parts = withNewlinesInParts(text)
  let sample = ""
  while (sample.length < SAMPLE_CHARS) {
    const part = await parts.next()
    if (part.done === true) {
      break
    }
    sample += part.value
  }
  const separator = separatorOf(sample.slice(0, SAMPLE_CHARS), SAMPLE_LINES)
  const bounds = new CsvBounds(separator, { cell: LIMITS.cellMaxChars })
  async function* counted(): AsyncGenerator<string> {
    refuseFirst(bounds.push(sample))
    yield sample
    for await (const part of parts) {
      refuseFirst(bounds.push(part))
      yield part
    }
  }
  // Loaded with the first file.
  const { parse: parserOf } = await import("csv-parse")
  const parser = parserOf({ ...CSV_OPTIONS, delimiter: separator, info: true })
  // Its errors reach the loop, too.
  pipeline(Readable.from(counted()), parser, () => undefined)
  try {
    for await (const { record: raw, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      const record = readRecord(raw, info.lines)
      if (record !== null) {
        yield { ...record, lastLine: info.lines }
      }
    }
  } catch (error) {
    const reason = malformed(error, () => bounds.start)
    refuseFirst(reason instanceof MalformedCsv ? lineFault(reason.line, null, reason.reason) : null)
    throw error
  }
}

function refuseFirst(fault: FieldError | null): void {
  if (fault !== null) {
    throw new GatewayError("VALIDATION_ERROR", fault.reason, { field: fault.field, details: [fault] })
  }
}

/** A part may end between CR and LF. */
async function* withNewlinesInParts(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = ""
  for await (const part of text) {
    const whole = held + part
    held = whole.endsWith("\r") ? "\r" : ""
    yield withNewlines(held === "" ? whole : whole.slice(0, -1))
  }
  yield withNewlines(held)
}

/**
 * Counts the lines and cells of a text before it is parsed, part by part, and the characters of a cell where `cellMax` is
 * given. The line ends are `\n`.
 */
export class CsvBounds {
  private line = 1
  private cells = 1
  private chars = 0
  private filled = 0
  private header = 0
  private isQuoted = false
  private isBlank = true
  /** The line on which the record begins that is not at its end yet. */
  start = 1

  private readonly marks: RegExp

  constructor(
    separator: string,
    private readonly max: { rows?: { maxRows: number; count: Message }; cell?: number }
  ) {
    this.marks = new RegExp(`["\\n${separator}]`, "g")
  }

  /** The first line with too many cells or too long a one, or the header's when too many lines follow it; null: none. */
  push(text: string): FieldError | null {
    let from = 0
    for (const { index, 0: mark } of text.matchAll(this.marks)) {
      this.pass(text.slice(from, index))
      this.meet(mark)
      from = index + 1
      const fault = this.fault()
      if (fault !== null) {
        return fault
      }
    }
    this.pass(text.slice(from))
    return this.fault()
  }

  /** What is between two marks. */
  private pass(text: string): void {
    this.chars += text.length
    if (this.isBlank && /[^\0-\x20\ufeff]/.test(text)) {
      this.filled++
      this.header ||= this.start
      this.isBlank = false
    }
  }

  private meet(mark: string): void {
    this.line += mark === "\n" ? 1 : 0
    this.isQuoted = this.isQuoted !== (mark === '"')
    if (this.isQuoted || mark === '"') {
      // A separator or line end within quotes is part of the cell.
      this.pass(mark === '"' ? "" : mark)
    } else if (mark === "\n") {
      this.start = this.line
      this.cells = 1
      this.chars = 0
      this.isBlank = true
    } else {
      this.cells++
      this.chars = 0
    }
  }

  private fault(): FieldError | null {
    const { csvColumnsMax: max } = LIMITS
    if (this.cells > max) {
      return lineFault(this.start, null, messageOf("file.cells_max", { max }))
    }
    if (this.max.cell !== undefined && this.chars > this.max.cell) {
      return lineFault(this.start, null, messageOf("file.cell_max", { max: this.max.cell }))
    }
    if (this.max.rows !== undefined && this.filled > this.max.rows.maxRows + 1) {
      return lineFault(this.header, null, this.max.rows.count)
    }
    return null
  }
}

/** What is wrong with a line, or with a field of it; the field is named `lines[3].interest_rate`. */
export function lineFault(line: number, field: string | null, what: Message): FieldError {
  return {
    field: field === null ? `lines[${line}]` : `lines[${line}].${field}`,
    reason: messageOf("file.line", { line, what }),
  }
}

export function withNewlines(text: string): string {
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
