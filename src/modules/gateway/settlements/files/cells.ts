import { messageOf, type Message } from "../../../../i18n/message"
import type { FieldError } from "../../kernel/errors"
import { LIMITS } from "../../kernel/limits"
import type { Minor } from "../../kernel/money/money"
import { isShortened, readCurrency, readWrittenAmount, readWrittenDate, shown } from "../../kernel/money/written"
import { lineFault } from "../../kernel/text/csv-records"
import type { Header } from "./columns"
import type { SheetRow } from "./sheet"
import type { SettlementTemplate, TemplateColumn } from "./template"

/** The amounts of a line as the file writes them, with its signs; null: it has none there. */
export type Written = Record<"gross" | "fee" | "vat" | "net", Minor | null>

const EMPTY = messageOf("file.value_missing")
/** What is longer could be looked for, and be brought by a deposit, by nobody: queries and bodies take no more. */
const TEXT_MAX_CHARS = 254

/** The cells of a row by the template's columns; what is wrong with them is noted in `errors`. */
export class TemplateCells {
  readonly errors: FieldError[] = []

  constructor(
    private readonly row: SheetRow,
    private readonly header: Header,
    private readonly template: SettlementTemplate
  ) {}

  fail(column: TemplateColumn | null, what: Message): void {
    const name = column === null ? undefined : this.header.columns.get(column)?.name
    const reason = name === undefined ? what : messageOf("file.in_column", { name, what })
    this.errors.push(lineFault(this.row.line, column, reason))
  }

  /** The cell's text; null: there is no such column, it is empty, or the spreadsheet has spoilt it. */
  private cell(column: TemplateColumn): string | null {
    const place = this.header.columns.get(column)
    if (place === undefined) {
      return null
    }
    const spoilt = this.row.faults?.get(place.index)
    if (spoilt !== undefined) {
      this.fail(column, spoilt)
      return null
    }
    return this.row.cells[place.index] || null
  }

  /** A number or word that is compared: never one that a spreadsheet has shortened. */
  text(column: TemplateColumn): string | null {
    const text = plainText(this.cell(column) ?? "")
    if (isShortened(text)) {
      this.fail(column, messageOf("file.scientific", { value: shown(text) }))
    } else if (text.length > TEXT_MAX_CHARS) {
      this.fail(column, messageOf("file.text_max", { max: TEXT_MAX_CHARS }))
    }
    return text === "" ? null : text
  }

  description(): string | null {
    const { descriptionMaxChars: max } = LIMITS
    const text = plainText(this.cell("description") ?? "")
    // Half of a character outside the basic plane would be no text.
    return text.length > max ? `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…` : text === "" ? null : text
  }

  currency(): string {
    const text = this.cell("currency")
    const code = text === null ? this.template.currency : readCurrency(text)
    if (code === null) {
      this.fail("currency", text === null ? EMPTY : messageOf("file.currency", { value: shown(text) }))
    }
    return code ?? ""
  }

  amount(column: TemplateColumn, currency: string): Minor | null {
    const index = this.header.columns.get(column)?.index ?? -1
    const text = this.cell(column)
    const isNumber = this.row.typed?.has(index) === true
    const read = text === null ? null : readWrittenAmount(text, isNumber ? "." : this.template.decimal)
    if (read === null) {
      return null
    }
    if ("kind" in read) {
      this.fail(column, read)
      return null
    }
    if (read.currency !== null && currency !== "" && read.currency !== currency) {
      this.fail(column, messageOf("file.amount_currency", { value: shown(text ?? ""), currency }))
    }
    return read.minor
  }

  amounts(currency: string): Written {
    const noted = this.errors.length
    const [gross, fee, vat, net] = (["gross", "fee", "vat", "net"] as const).map((name) => this.amount(name, currency))
    if (gross === null && fee === null && net === null && this.errors.length === noted) {
      this.fail(null, messageOf("file.amount_missing"))
    }
    return { gross, fee, vat, net }
  }

  /** Of a bank: what came or went, which some write with a minus under debit. */
  bankAmount(currency: string): Written {
    const noted = this.errors.length
    const [debit, credit, both] = (["debit", "credit", "gross"] as const).map((name) => this.amount(name, currency))
    const out = (debit ?? 0n) < 0n ? -(debit ?? 0n) : (debit ?? 0n)
    if (out !== 0n && (credit ?? 0n) !== 0n) {
      this.fail(null, messageOf("file.amount_both"))
    } else if (debit === null && credit === null && both === null && this.errors.length === noted) {
      this.fail(null, messageOf("file.amount_missing"))
    }
    return { gross: both ?? (credit ?? 0n) - out, fee: null, vat: null, net: null }
  }

  date(): Date {
    const noted = this.errors.length
    const [text, time] = [this.cell("date"), this.cell("time")]
    const { date_format, time_zone } = this.template
    const read = text === null ? EMPTY : readWrittenDate(text, date_format, time_zone, time ?? "")
    if (read instanceof Date) {
      return read
    }
    if (this.errors.length === noted) {
      this.fail("date", read)
    }
    return new Date(0)
  }
}

/** Text in one form, on one line. */
function plainText(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\s\u0000-\u001f\u007f]+/g, " ")
    .trim()
}
