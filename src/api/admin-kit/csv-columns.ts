import type { csv } from "../../i18n/en/csv"
import type { Language } from "../../i18n/languages"
import { textGroup } from "../../i18n/translate"
import { textOf } from "../../modules/gateway/kernel/text"

type Header = keyof typeof csv.columns

/** A column of an exported list: its header, and the path of its member in a row of the list's answer. */
export type CsvColumn = { header: Header; path: readonly string[] }

/** `"amount"` is the member of that name; `["customer_name", "customer.name"]` has a header of its own. */
export function csvColumns(...columns: readonly (Header | readonly [Header, string])[]): readonly CsvColumn[] {
  return columns.map((column) => {
    const [header, path] = typeof column === "string" ? [column, column] : column
    return { header, path: path.split(".") }
  })
}

export function csvHeaders(columns: readonly CsvColumn[], language: Language): string[] {
  const texts = textGroup("csv", "columns", language)
  return columns.map(({ header }) => texts[header])
}

/** A row of the list's answer as cells: amounts as they are, times in ISO 8601 and UTC, lists and objects as text. */
export function csvCells(columns: readonly CsvColumn[], row: object): string[] {
  return columns.map(({ path }) => cell(path.reduce<unknown>(member, row)))
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function cell(value: unknown): string {
  if (value === null || value === undefined) {
    return ""
  }
  if (value instanceof Date) {
    return value.toISOString()
  }
  if (Array.isArray(value)) {
    return value.map(cell).join(" ")
  }
  return typeof value === "object" ? JSON.stringify(value) : textOf(value)
}
