import { messageOf, type Message } from "../../../../i18n/message"
import { LIMITS } from "../limits"
import { refuseFaults, refuseFile } from "./csv"
import { lineFault } from "./csv-records"
import { BROKEN, Parts, type Attributes, type Handlers } from "./xlsx-parts"

/**
 * A line of a table. A run of blank lines is one row without cells.
 * - typed: the columns, from 0, whose text is of a number or date of a spreadsheet: with a decimal point, or ISO.
 * - faults: the columns whose text is not to be trusted, and why; who does not need them is not concerned.
 */
export type SheetRow = {
  line: number
  cells: string[]
  typed?: ReadonlySet<number>
  faults?: ReadonlyMap<number, Message>
}

type Style = "plain" | "date" | { zeros: number }
/** The rows of a sheet, the first one that is shown where none is named. Throws VALIDATION_ERROR for a file that is none. */
export async function* xlsxRows(file: Buffer, sheet: string | null): AsyncGenerator<SheetRow> {
  const parts = await Parts.of(file)
  const links = await linksOf(parts, "")
  const bookPath = [...links.values()].find(({ type }) => type.endsWith("/officeDocument"))?.path
  if (bookPath === undefined) {
    refuseFile(BROKEN)
  }
  const { sheets, is1904 } = await bookOf(parts, bookPath)
  const ofBook = await linksOf(parts, bookPath)
  const pathOf = (end: string) => [...ofBook.values()].find(({ type }) => type.endsWith(end))?.path ?? ""
  const shown = sheets.filter(({ isHidden }) => !isHidden)
  const chosen = sheet === null ? (shown[0] ?? sheets[0]) : sheets.find(({ name }) => name.trim() === sheet.trim())
  if (chosen === undefined && sheet !== null) {
    refuseFile(messageOf("file.sheet_missing", { name: sheet, sheets: shown.map(({ name }) => name).join(", ") }))
  }
  const cells = new Cells(
    await stylesOf(parts, pathOf("/styles")),
    await textsOf(parts, pathOf("/sharedStrings")),
    is1904
  )
  const path = ofBook.get(chosen?.link ?? "")?.path ?? ""
  let last = 0
  const taken = () => cells.rows.splice(0)
  for await (const rows of parts.pieces(path, cells, LIMITS.settlementUnpackedMaxBytes, taken)) {
    for (const row of rows) {
      if (row.line > last + 1) {
        yield { line: last + 1, cells: [] }
      }
      last = row.line
      yield row
    }
  }
}

type Links = Map<string, { type: string; path: string }>

/** What a part refers to, by id. The links of `xl/workbook.xml` are in `xl/_rels/workbook.xml.rels`. */
async function linksOf(parts: Parts, path: string): Promise<Links> {
  const slash = path.lastIndexOf("/") + 1
  const folder = path.slice(0, slash)
  const links: Links = new Map()
  await parts.whole(`${folder}_rels/${path.slice(slash)}.rels`, {
    open: (name, { Id = "", Type = "", Target = "" }) => {
      if (name === "Relationship") {
        const target = new URL(Target, `zip:///${folder}`).pathname.slice(1)
        links.set(Id, { type: Type, path: decodeURIComponent(target) })
      }
    },
  })
  return links
}

type Sheet = { name: string; link: string; isHidden: boolean }

async function bookOf(parts: Parts, path: string): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const book = { sheets: [] as Sheet[], is1904: false }
  await parts.whole(path, {
    open: (name, attributes) => {
      if (name === "workbookPr") {
        book.is1904 = ["1", "true"].includes(attributes.date1904)
      } else if (name === "sheet") {
        const link = Object.entries(attributes).find(([key]) => /^(.*:)?id$/.test(key))?.[1] ?? ""
        book.sheets.push({ name: attributes.name ?? "", link, isHidden: (attributes.state ?? "visible") !== "visible" })
      }
    },
  })
  return book
}

/** The texts of cells, which a workbook keeps once each. How a text is pronounced (`rPh`) is no part of it. */
async function textsOf(parts: Parts, path: string): Promise<string[]> {
  const texts: string[] = []
  let [text, isText, isSound] = ["", false, false]
  await parts.whole(path, {
    open: (name) => {
      text = name === "si" ? "" : text
      isText = name === "t" && !isSound
      isSound ||= name === "rPh"
    },
    text: (piece) => {
      text += isText ? piece : ""
    },
    close: (name) => {
      isText = false
      isSound &&= name !== "rPh"
      if (name === "si") {
        texts.push(text)
      }
    },
  })
  return texts
}

/** The formats of numbers that every workbook has: dates, times, and durations. */
const DATE_FORMAT_IDS = /^(1[4-9]|2[0-2]|2[7-9]|3[0-6]|4[5-7]|5[0-8])$/
/** The longest format that a spreadsheet takes. */
const FORMAT_MAX_CHARS = 255
/** What a format says in quotes, escaped, as a colour or currency, or as a space. */
const LITERALS = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi

async function stylesOf(parts: Parts, path: string): Promise<Style[]> {
  const formats = new Map<string, string>()
  const styles: Style[] = []
  let isCells = false
  await parts.whole(path, {
    open: (name, { numFmtId = "0", formatCode = "" }) => {
      isCells ||= name === "cellXfs"
      if (name === "numFmt") {
        formats.set(numFmtId, formatCode.slice(0, FORMAT_MAX_CHARS))
      } else if (name === "xf" && isCells) {
        const code = formats.get(numFmtId)?.split(";")[0] ?? ""
        const isDate = formats.has(numFmtId)
          ? /[ymdhs]/i.test(code.replace(LITERALS, ""))
          : DATE_FORMAT_IDS.test(numFmtId)
        styles.push(isDate ? "date" : /^0{2,}$/.test(code) ? { zeros: code.length } : "plain")
      }
    },
    close: (name) => {
      isCells &&= name !== "cellXfs"
    },
  })
  return styles
}

/** Makes rows of a sheet's tags. Formulas count by the values that they had when the file was saved. */
class Cells implements Handlers {
  readonly rows: SheetRow[] = []
  private row: { line: number; cells: string[]; typed: Set<number>; faults: Map<number, Message> } | null = null
  private line = 0
  private column = -1
  private attributes: Attributes = {}
  private value = ""
  private isValue = false
  private isSound = false

  constructor(
    private readonly styles: readonly Style[],
    private readonly texts: readonly string[],
    private readonly is1904: boolean
  ) {}

  readonly open = (name: string, attributes: Attributes): void => {
    if (name === "row") {
      const line = attributes.r === undefined ? this.line + 1 : Number(attributes.r)
      if (!Number.isSafeInteger(line) || line <= this.line) {
        refuseFile(BROKEN)
      }
      this.line = line
      this.column = -1
      this.row = { line, cells: [], typed: new Set(), faults: new Map() }
    } else if (name === "c") {
      this.column = attributes.r === undefined ? this.column + 1 : columnOf(attributes.r)
      this.attributes = attributes
      this.value = ""
    } else {
      this.isSound ||= name === "rPh"
      this.isValue = (name === "v" || name === "t") && !this.isSound
    }
  }

  readonly text = (piece: string): void => {
    if (this.isValue && this.row !== null) {
      this.value += piece
      if (this.value.length > LIMITS.cellMaxChars) {
        refuseFaults([lineFault(this.line, null, messageOf("file.cell_max", { max: LIMITS.cellMaxChars }))])
      }
    }
  }

  readonly close = (name: string): void => {
    this.isValue = false
    this.isSound &&= name !== "rPh"
    if (name === "c" && this.row !== null && this.value !== "") {
      this.read(this.row)
    } else if (name === "row" && this.row !== null) {
      const { line, cells, typed, faults } = this.row
      this.row = null
      if (cells.some((cell) => cell !== "")) {
        this.rows.push({ line, cells: Array.from(cells, (cell) => cell ?? ""), typed, faults })
      }
    }
  }

  private read({ cells, typed, faults }: NonNullable<Cells["row"]>): void {
    const { value, column } = this
    const { csvColumnsMax: max } = LIMITS
    if (column >= max) {
      refuseFaults([lineFault(this.line, null, messageOf("file.cells_max", { max }))])
    }
    const { t: type = "n", s: style = "0", r: cell = "" } = this.attributes
    if (type === "n") {
      const number = Number(value)
      cells[column] = numberText(number, this.styles[Number(style)] ?? "plain", this.is1904)
      typed.add(column)
      if (Math.abs(number) >= DIGITS_LOST) {
        faults.set(column, messageOf("file.digits_lost", { cell }))
      }
    } else {
      const text = type === "s" ? (this.texts[Number(value)] ?? refuseFile(BROKEN)) : value
      cells[column] = type === "b" ? (value === "1" ? "TRUE" : "FALSE") : unescaped(text).trim()
      if (type === "d") {
        typed.add(column)
      } else if (type === "e") {
        faults.set(column, messageOf("file.cell_error", { cell, error: value }))
      }
    }
  }
}

/** Excel keeps 15 digits: of a longer number the last ones are zeros, and not what was typed. */
const DIGITS_LOST = 1e15

/** The column of `C7` is 2. */
function columnOf(cell: string): number {
  const letters = /^\$?([A-Z]{1,3})\$?[0-9]+$/i.exec(cell)?.[1] ?? refuseFile(BROKEN)
  return [...letters.toUpperCase()].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** A control character in a text is written as `_x000D_`; NUL and halves of characters, which cannot be stored, stay so. */
function unescaped(text: string): string {
  return text.replace(/_x(?!0000|D[89A-F])([0-9A-F]{4})_/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16))
  )
}

/**
 * A number as the spreadsheet shows it, which keeps 15 digits: the file says 1234.5600000000001 for 1234.56. Of a number
 * with a date's format the date, the time, or both, in ISO form without a zone.
 */
function numberText(number: number, style: Style, is1904: boolean): string {
  if (!Number.isFinite(number)) {
    refuseFile(BROKEN)
  }
  if (style === "date" && number >= 0 && number < DAYS_MAX) {
    return dateText(number, is1904)
  }
  const decimals = Math.max(0, Math.min(20, 14 - Math.floor(Math.log10(Math.abs(number) || 1))))
  const text = number.toFixed(decimals).replace(/\.0*$|(\.[0-9]*?)0+$/, "$1")
  return typeof style === "object" && /^[0-9]+$/.test(text) ? text.padStart(style.zeros, "0") : text
}

/** The last day that a spreadsheet knows is in the year 9999. */
const DAYS_MAX = 2_958_466
const DAY_SECONDS = 86_400

/** Days since the end of 1899, as if 1900 had been a leap year, or since 1904; below 1 a time of day. */
function dateText(serial: number, is1904: boolean): string {
  const seconds = Math.round(serial * DAY_SECONDS)
  const days = Math.floor(seconds / DAY_SECONDS)
  const first = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const [date, time] = new Date(first + seconds * 1_000).toISOString().slice(0, 19).split("T")
  return days === 0 && !is1904 ? time : time === "00:00:00" ? date : `${date}T${time}`
}
