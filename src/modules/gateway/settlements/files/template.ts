import { HOME_TIME_ZONE } from "../../../../i18n/formats"
import { messageOf, type Message } from "../../../../i18n/message"
import { either, fault, type FieldFailure } from "../../kernel/errors"
import { LIMITS } from "../../kernel/limits"
import { isTimeZone } from "../../kernel/money/calendar"
import { HOME_CURRENCY, isCurrency } from "../../kernel/money/currencies"
import { DATE_ORDERS, type DateFormat } from "../../kernel/money/written"
import { SETTLEMENT_KINDS, type SettlementKind } from "../states"

export type { SettlementKind } from "../states"

/**
 * What a column of a file gives. `id` is the line's identity, `reference` the acquirer's own number of the payment,
 * `order_reference` ours, `batch` the number of the payout that the line is paid with, `vat` the tax on the fee, `time`
 * the time of day where it has a column of its own. Statements of banks have `debit`, `credit` and `balance`.
 */
export const TEMPLATE_COLUMNS = [
  "id",
  "kind",
  "reference",
  "order_reference",
  "date",
  "time",
  "gross",
  "fee",
  "vat",
  "net",
  "debit",
  "credit",
  "balance",
  "currency",
  "batch",
  "description",
] as const
export type TemplateColumn = (typeof TEMPLATE_COLUMNS)[number]

export const DATE_FORMATS = Object.keys(DATE_ORDERS) as DateFormat[]

/** How the files of one acquirer, courier or bank are read, as an admin maps it once; stored as JSON. */
export type SettlementTemplate = {
  kind: "settlement" | "statement" | "courier"
  /** The sheet of an XLSX file; null: the first that is shown. */
  sheet: string | null
  /** The line on which the names of the columns stand, from 1; null: the first one that has them all. */
  header_line: number | null
  /** The names of columns, as `columnNames` gives them. */
  columns: Partial<Record<TemplateColumn, string>>
  /** What the words of the column `kind` mean; a line with a word for `skip` is left out. */
  kinds: Record<string, SettlementKind | "skip">
  /** Where no word says it. `by_sign`: what comes is a payment, or a deposit of a bank; null: a line without is an error. */
  default_kind: SettlementKind | "by_sign" | null
  /** Of lines that do not say theirs. */
  currency: string | null
  date_format: DateFormat
  /** Of dates and times without an offset. */
  time_zone: string
  decimal: "." | ","
  /** How the file writes the amounts of refunds and disputes, and fees that are kept. */
  refund_sign: "negative" | "positive"
  fee_sign: "positive" | "negative"
  /** Lines whose first filled cell is such a word, with no other words behind it, are left out: "Total: 12". */
  skip: string[]
}

export const TEMPLATE_DEFAULTS: Omit<SettlementTemplate, "kind" | "columns"> = {
  sheet: null,
  header_line: null,
  kinds: {},
  default_kind: "by_sign",
  currency: HOME_CURRENCY,
  date_format: "YYYY-MM-DD",
  time_zone: HOME_TIME_ZONE,
  decimal: ".",
  refund_sign: "negative",
  fee_sign: "positive",
  skip: ["Total", "Total amount", "Grand total", "Sub total", "Subtotal", "মোট", "সর্বমোট", "মোট পরিমাণ"],
}

/** The names of columns stand on one of the file's first lines. */
export const HEADER_LINES_MAX = 100
const NAME_MAX_CHARS = 255

/** A name or word as it is compared: in one form of Unicode, without outer spaces, without regard to case. */
export function normalName(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase()
}

type Reading = { value: SettlementTemplate; failures: [] } | { value: null; failures: FieldFailure[] }
type Fields = Record<string, unknown>

/** Reads a template from JSON, or what is wrong with its fields. What is left out gets its default; `zone`: the merchant's. */
export function readTemplate(input: unknown, zone = TEMPLATE_DEFAULTS.time_zone): Reading {
  if (!isObject(input)) {
    return { value: null, failures: [fault("", messageOf("rule.object"))] }
  }
  const known = ["kind", "columns", ...Object.keys(TEMPLATE_DEFAULTS)]
  const columns = isObject(input.columns) ? input.columns : {}
  const fields = {
    ...TEMPLATE_DEFAULTS,
    time_zone: zone,
    // What a column says is not guessed where it says nothing.
    ...(isName(columns.currency) ? { currency: null } : {}),
    ...(isName(columns.kind) ? { default_kind: null } : {}),
    ...Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
    columns: Object.fromEntries(Object.entries(columns).filter(([, name]) => name !== null && name !== "")),
  } as Fields
  const failures = [
    ...unknownFields("", input, known),
    ...checkChoices(fields),
    ...checkColumns(fields, input.columns),
    ...checkKinds(fields),
    ...checkWords(fields),
  ]
  return failures.length > 0
    ? { value: null, failures }
    : { value: Object.fromEntries(known.map((name) => [name, fields[name]])) as SettlementTemplate, failures: [] }
}

const CHOICES: Partial<Record<keyof SettlementTemplate, readonly string[]>> = {
  kind: ["settlement", "statement", "courier"],
  date_format: DATE_FORMATS,
  decimal: [".", ","],
  refund_sign: ["negative", "positive"],
  fee_sign: ["positive", "negative"],
}

function checkChoices(fields: Fields): FieldFailure[] {
  const { header_line: line, time_zone: zone, currency } = fields
  return [
    ...Object.entries(CHOICES).flatMap(([name, values]) =>
      failIf(!values.includes(fields[name] as string), name, fields[name] === undefined ? REQUIRED : either(values))
    ),
    ...failIf(!isSheetName(fields.sheet), "sheet", messageOf("rule.text_max", { max: NAME_MAX_CHARS })),
    ...failIf(
      line !== null && !(Number.isInteger(line) && (line as number) >= 1 && (line as number) <= HEADER_LINES_MAX),
      "header_line",
      messageOf("rule.whole_number_within", { min: 1, max: HEADER_LINES_MAX })
    ),
    ...failIf(
      typeof zone !== "string" || !isTimeZone(zone),
      "time_zone",
      messageOf("rule.time_zone", { example: TEMPLATE_DEFAULTS.time_zone })
    ),
    ...failIf(
      currency !== null && !(typeof currency === "string" && isCurrency(currency)),
      "currency",
      messageOf("rule.currency", { example: HOME_CURRENCY })
    ),
  ]
}

type MoneyColumns = { has: readonly TemplateColumn[]; not: readonly TemplateColumn[] }
const OF_SETTLEMENTS: MoneyColumns = { has: ["gross", "net"], not: ["debit", "credit", "balance"] }
/** By the kind of a template: of which columns it needs one, and which it does not have. */
const MONEY: ReadonlyMap<unknown, MoneyColumns> = new Map([
  ["settlement", OF_SETTLEMENTS],
  ["courier", OF_SETTLEMENTS],
  ["statement", { has: ["debit", "credit", "gross"], not: ["fee", "vat", "net"] }],
])

function checkColumns({ kind, currency, columns }: Fields, given: unknown): FieldFailure[] {
  if (!isObject(given)) {
    return [fault("columns", given === undefined ? REQUIRED : messageOf("rule.object"))]
  }
  const named = columns as Fields
  const names = Object.keys(named)
  const lacks = (wanted: readonly string[]) => !wanted.some((name) => names.includes(name))
  const { has, not } = MONEY.get(kind) ?? { has: names, not: [] }
  const hasBothMoney =
    kind === "statement" && names.includes("gross") && (names.includes("debit") || names.includes("credit"))
  return [
    ...unknownFields("columns", named, TEMPLATE_COLUMNS),
    ...names.flatMap((name) =>
      failIf(!isName(named[name]), `columns.${name}`, messageOf("rule.text_max", { max: NAME_MAX_CHARS }))
    ),
    ...failIf(lacks(["date"]), "columns.date", REQUIRED),
    ...failIf(names.length > 0 && lacks(has), `columns.${has[0]}`, REQUIRED),
    ...failIf(
      kind !== "statement" && lacks(["reference", "order_reference"]),
      "columns.reference",
      messageOf("rule.template_reference")
    ),
    ...not.flatMap((name) => failIf(names.includes(name), `columns.${name}`, messageOf("rule.template_column"))),
    ...failIf(hasBothMoney, "columns.gross", messageOf("rule.not_with", { field: "columns.debit" })),
    ...failIf(currency === null && lacks(["currency"]), "columns.currency", REQUIRED),
  ]
}

/** A bank knows nothing of payments: money comes or goes. */
const OF_A_BANK: readonly SettlementKind[] = ["deposit", "adjustment"]

function checkKinds({ kind: about, columns, kinds, default_kind: byDefault }: Fields): FieldFailure[] {
  const hasColumn = (columns as Fields).kind !== undefined
  const known = about === "statement" ? OF_A_BANK : SETTLEMENT_KINDS
  const defaults = ["by_sign", ...known]
  const values = [...known, "skip"]
  const max = LIMITS.choicesMax
  if (!isObject(kinds) || Object.keys(kinds).length > max) {
    return [fault("kinds", isObject(kinds) ? messageOf("rule.max_entries", { max }) : messageOf("rule.object"))]
  }
  const words = Object.entries(kinds)
  const texts = words.map(([word]) => normalName(word))
  return [
    ...failIf(words.length > 0 && !hasColumn, "kinds", messageOf("rule.only_with", { field: "columns.kind" })),
    ...words.flatMap(([word, kind]) =>
      failIf(!values.includes(kind as string) || !isName(word), `kinds.${word}`, either(values))
    ),
    ...failIf(new Set(texts).size < texts.length, "kinds", messageOf("rule.template_word_twice")),
    ...failIf(byDefault === null && !hasColumn, "columns.kind", REQUIRED),
    ...failIf(byDefault !== null && !defaults.includes(byDefault as string), "default_kind", either(defaults)),
  ]
}

function checkWords({ skip }: Fields): FieldFailure[] {
  if (!Array.isArray(skip) || skip.length > LIMITS.choicesMax) {
    const max = LIMITS.choicesMax
    return [fault("skip", Array.isArray(skip) ? messageOf("rule.max_entries", { max }) : messageOf("rule.list"))]
  }
  return skip.flatMap((word, index) =>
    failIf(!isName(word), `skip[${index}]`, messageOf("rule.text_max", { max: NAME_MAX_CHARS }))
  )
}

const REQUIRED = messageOf("rule.required")

function failIf(isWrong: boolean, field: string, rule: Message): FieldFailure[] {
  return isWrong ? [fault(field, rule)] : []
}

function unknownFields(path: string, object: Fields, known: readonly string[]): FieldFailure[] {
  return Object.keys(object)
    .filter((name) => !known.includes(name))
    .map((name) =>
      fault(path === "" ? name : `${path}.${name}`, messageOf("rule.known_field", { fields: known.join(", ") }))
    )
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value.length <= NAME_MAX_CHARS && normalName(value) !== ""
}

function isSheetName(value: unknown): boolean {
  return value === null || isName(value)
}
