import { KINDS, type Definition, type Line } from "./types"

export type Column = keyof Definition["columns"]
type Kind = Line["kind"]
type FileKind = Definition["kind"]

export const FILE_KINDS = ["settlement", "statement", "courier"] as const satisfies readonly FileKind[]

const OF_SETTLEMENTS = [
  "date",
  "time",
  "reference",
  "order_reference",
  "kind",
  "gross",
  "fee",
  "vat",
  "net",
  "currency",
  "batch",
  "id",
  "description",
] as const satisfies readonly Column[]

/** The columns that a file of a kind may have, in the order of the form. */
export const COLUMNS: Readonly<Record<FileKind, readonly Column[]>> = {
  settlement: OF_SETTLEMENTS,
  courier: OF_SETTLEMENTS,
  statement: [
    "date",
    "time",
    "debit",
    "credit",
    "gross",
    "balance",
    "description",
    "reference",
    "order_reference",
    "kind",
    "currency",
    "batch",
    "id",
  ],
}

/** Each date format of templates, and what its example is called in the texts. */
export const DATE_FORMATS = [
  ["YYYY-MM-DD", "year_first"],
  ["DD/MM/YYYY", "day_first"],
  ["MM/DD/YYYY", "month_first"],
  ["DD-MMM-YYYY", "day_word"],
  ["MMM DD, YYYY", "month_word"],
  ["YYYYMMDD", "figures"],
] as const satisfies readonly (readonly [Definition["date_format"], string])[]

/** Stands for what a template leaves out: a choice without a value cannot be chosen. */
export const NONE = "none"

export type Draft = {
  name: string
  source: string
  named: string
  kind: FileKind
  columns: Partial<Record<Column, string>>
  kinds: Record<string, Kind | "skip">
  default_kind: Kind | "by_sign" | typeof NONE
  currency: string
  date_format: Definition["date_format"]
  time_zone: string
  decimal: Definition["decimal"]
  refund_sign: Definition["refund_sign"]
  fee_sign: Definition["fee_sign"]
  sheet: string
  header_line: string
  /** One a line. */
  skip: string
}

type About = { name: string; source: string }

export function draftOf(definition: Definition, { name, source }: About): Draft {
  const { sheet, header_line, default_kind, currency, skip, ...rest } = definition
  return {
    ...rest,
    name,
    source,
    named: "",
    kinds: { ...rest.kinds },
    columns: { ...rest.columns },
    default_kind: default_kind ?? NONE,
    currency: currency ?? NONE,
    sheet: sheet ?? "",
    header_line: header_line === null ? NONE : String(header_line),
    skip: skip.join("\n"),
  }
}

/** The template as the API takes it; columns that files of the kind do not have, and words without a column, stay out. */
export function definitionOf(draft: Draft): Definition {
  const { kind, columns, kinds, default_kind, currency, date_format, time_zone, decimal, refund_sign, fee_sign } = draft
  const known = COLUMNS[kind].flatMap((name) => (columns[name] ? [[name, columns[name]] as const] : []))
  const hasKinds = known.some(([name]) => name === "kind")
  return {
    kind,
    columns: Object.fromEntries(known),
    kinds: hasKinds ? kinds : {},
    default_kind: default_kind !== NONE ? default_kind : hasKinds ? null : "by_sign",
    currency: currency === NONE ? null : currency,
    date_format,
    time_zone: time_zone.trim(),
    decimal,
    refund_sign,
    fee_sign,
    sheet: draft.sheet.trim() || null,
    header_line: draft.header_line === NONE ? null : Number(draft.header_line),
    skip: draft.skip
      .split("\n")
      .map((word) => word.trim())
      .filter(Boolean),
  }
}

const plain = (word: string) => word.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase()

/** The words that the template knows, and those of the file that it does not. */
export function wordsOf({ kinds }: Draft, inFile: readonly string[]): string[] {
  const known = Object.keys(kinds)
  return [...known, ...inFile.filter((word) => !known.some((one) => plain(one) === plain(word)))]
}

export function withWord(draft: Draft, word: string, kind: Kind | "skip" | typeof NONE): Draft {
  const others = Object.entries(draft.kinds).filter(([one]) => one !== word)
  return { ...draft, kinds: Object.fromEntries(kind === NONE ? others : [...others, [word, kind]]) }
}

/** With the columns that their names suggest, and the words that say themselves what they mean; what was said stays. */
export function withSuggested(draft: Draft, { columns, kinds }: Pick<Definition, "columns" | "kinds">): Draft {
  return { ...draft, columns: { ...columns }, kinds: { ...kinds, ...draft.kinds } }
}

/** What a line of a file of this kind may be about. */
export function kindsOf(kind: FileKind): readonly Kind[] {
  return kind === "statement" ? ["deposit", "fee", "adjustment"] : KINDS.filter((one) => one !== "deposit")
}
