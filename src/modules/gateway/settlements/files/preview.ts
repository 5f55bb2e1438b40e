import { innermostKind } from "../../../../i18n/message"
import { GatewayError, type FieldError } from "../../kernel/errors"
import { columnNames, HeaderSearch, likelyHeader, suggestTemplate } from "./columns"
import { onlyNumbered, readSettlement, type LineResult, type Numbered } from "./lines"
import type { SheetRow } from "./sheet"
import { normalName, type SettlementTemplate } from "./template"

/** The rows that are shown, and in which the names of the columns are looked for. */
const HEAD_ROWS = 30
/** The lines whose results are shown; and of all others, the first that cannot be read. */
const RESULTS_SHOWN = 20
const WORDS_MAX = 100

/** What a file says by a template. `read`: its lines below the names of the columns, of which these were skipped or wrong. */
export type PreviewReading = {
  results: LineResult[]
  /** Lines after those of `results` that cannot be read. */
  errors: FieldError[]
  read: number
  skipped: number
  wrong: number
  /** Of those that are wrong: the lines of which only the word for their kind has no meaning yet. */
  unmapped: number
  /** The words of the template's column `kind`. */
  words: string[]
  /** Why the file cannot be read by this template, or not to its end. */
  failures: FieldError[]
}

/** The first rows of a file, and the template that its column names suggest; `names` as templates refer to them. */
export type SheetPreview = {
  rows: (SheetRow & { names: string[] })[]
  /** Where the names of the columns are looked for; null: the file has no rows. */
  header_line: number | null
  suggested: SettlementTemplate | null
  reading: PreviewReading | null
}

/**
 * Looks at a file, and writes nothing. With a template, all of the file is read by it; without one, only its first rows.
 * `headerLine`: where an admin says that the names of the columns are. `numbers`: as of an import. `zone`: the merchant's. Throws VALIDATION_ERROR for what is no file with
 * rows; a file that the template does not fit is an answer.
 */
export async function previewSheet(
  rows: AsyncIterable<SheetRow>,
  template: SettlementTemplate | null,
  { headerLine, numbers, zone }: { headerLine: number | null; numbers: Numbered | null; zone: string }
): Promise<SheetPreview> {
  const head: SheetRow[] = []
  const words = new KindWords(template?.columns.kind)
  async function* kept(): AsyncGenerator<SheetRow> {
    for await (const row of rows) {
      if (head.length < HEAD_ROWS) {
        head.push(row)
      }
      words.see(row)
      yield row
    }
  }
  const reading = template === null ? null : await readAll(kept(), template, head, numbers)
  if (template === null) {
    for await (const row of kept()) {
      if (row === head[HEAD_ROWS - 1]) {
        break
      }
    }
  }
  const found = headerLine === null ? likelyHeader(head) : head.findIndex(({ line }) => line === headerLine)
  const header = head.at(found === -1 ? likelyHeader(head) : found)
  return {
    rows: head.map((row) => ({ ...row, names: columnNames(row.cells) })),
    header_line: header?.line ?? null,
    suggested:
      header === undefined
        ? null
        : suggestTemplate(columnNames(header.cells), head.slice(head.indexOf(header) + 1), zone),
    reading: reading && { ...reading, words: words.all },
  }
}

/** Whether a file that begins with these rows has all columns of the template. */
export function fitsTemplate(rows: readonly SheetRow[], template: SettlementTemplate): boolean {
  const search = new HeaderSearch(template)
  try {
    return rows.some((row) => search.next(row) !== null)
  } catch (error) {
    if (GatewayError.is(error)) {
      return false
    }
    throw error
  }
}

async function readAll(
  rows: AsyncIterable<SheetRow>,
  template: SettlementTemplate,
  head: readonly SheetRow[],
  numbers: Numbered | null
): Promise<PreviewReading> {
  const seen: PreviewReading = {
    results: [],
    errors: [],
    read: 0,
    skipped: 0,
    wrong: 0,
    unmapped: 0,
    words: [],
    failures: [],
  }
  try {
    for await (const batch of onlyNumbered(readSettlement(rows, template), numbers)) {
      batch.forEach((result) => note(seen, result))
    }
  } catch (error) {
    if (!GatewayError.is(error) || head.length === 0) {
      throw error
    }
    seen.failures = error.details === undefined ? [{ field: "file", reason: error.reason }] : [...error.details]
  }
  return seen
}

function isUnmapped(result: LineResult): boolean {
  return (
    result.outcome === "error" && result.errors.every(({ reason }) => innermostKind(reason) === "file.kind_unknown")
  )
}

function note(seen: PreviewReading, result: LineResult): void {
  seen.read += 1
  seen.skipped += result.outcome === "skipped" ? 1 : 0
  seen.wrong += result.outcome === "error" ? 1 : 0
  seen.unmapped += isUnmapped(result) ? 1 : 0
  if (seen.results.length < RESULTS_SHOWN) {
    seen.results.push(result)
  } else if (result.outcome === "error" && seen.errors.length < RESULTS_SHOWN) {
    seen.errors.push(...result.errors)
  }
}

/** Collects what a column says, below the first row that has its name. */
class KindWords {
  private readonly found = new Map<string, string>()
  private index = -1

  constructor(private readonly column: string | undefined) {}

  get all(): string[] {
    return [...this.found.values()]
  }

  see({ cells }: SheetRow): void {
    if (this.column === undefined) {
      return
    }
    const name = normalName(this.column)
    if (this.index === -1) {
      this.index = columnNames(cells).findIndex((one) => normalName(one) === name)
      return
    }
    const word = (cells[this.index] ?? "").replace(/\s+/g, " ").trim()
    if (normalName(word) !== "" && normalName(word) !== name && this.found.size < WORDS_MAX) {
      this.found.set(normalName(word), this.found.get(normalName(word)) ?? word)
    }
  }
}
