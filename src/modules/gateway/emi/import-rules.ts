import { messageOf, type Message } from "../../../i18n/message"
import { readTable, type TableShape } from "../kernel/text/csv"
import { lineFault } from "../kernel/text/csv-records"
import { EMI_FIELDS, EMI_REQUIRED_FIELDS, readEmiSettings, type EmiFields, type EmiSettings } from "./input"
import type { FieldError } from "../kernel/errors"
import { LIMITS } from "../kernel/limits"
import { formatAmount } from "../kernel/money/money"

/** A stored configuration with what an import needs to know of it. */
export type KnownEmi = EmiSettings & { uuid: string }

type EmiLine = { line: number; settings: EmiSettings }

/** What an import would do. `errors` name the line; with any error the import does nothing. */
export type EmiImportPlan = {
  create: EmiLine[]
  change: (EmiLine & { uuid: string })[]
  unchanged: (EmiLine & { uuid: string })[]
  archive: KnownEmi[]
  errors: FieldError[]
}

const TABLE: TableShape = {
  columns: EMI_FIELDS,
  required: EMI_REQUIRED_FIELDS,
  numbers: ["tenure", "interest_rate", "processing_fee", "minimum_amount", "maximum_amount"],
  maxRows: LIMITS.emiImportMaxLines,
  count: messageOf("file.lines", { max: LIMITS.emiImportMaxLines }),
}

/**
 * Parses a bank's table, its numbers as people write them (decisions: Digits), into lines, or into the errors of all
 * lines. Fields are named `lines[3].interest_rate`.
 */
export function readEmiTable(csv: string): { lines: EmiLine[]; errors: FieldError[] } {
  return readTable<EmiLine>(csv, TABLE, (fields: EmiFields, line) => {
    const { value, failures } = readEmiSettings(fields)
    return value === null ? { value, failures } : { value: { line, settings: value }, failures: [] }
  })
}

/**
 * Compares a table with the stored configurations. A line matches the configuration of the same bank, tenure and
 * minimum. With `archive_missing` the table is complete for its banks: configurations that it lacks are archived.
 */
export function planEmiImport(
  known: readonly KnownEmi[],
  lines: readonly EmiLine[],
  archive_missing: boolean
): EmiImportPlan {
  const plan: EmiImportPlan = { create: [], change: [], unchanged: [], archive: [], errors: [] }
  const byKey = new Map(known.map((configuration) => [keyOf(configuration), configuration]))
  const firstLine = new Map<string, number>()
  for (const entry of lines) {
    const key = keyOf(entry.settings)
    const earlier = firstLine.get(key)
    const existing = byKey.get(key)
    if (earlier !== undefined) {
      plan.errors.push(lineFault(entry.line, null, messageOf("file.same_as", { line: earlier })))
    } else if (existing === undefined) {
      plan.create.push(entry)
    } else {
      const same = settingsText(existing) === settingsText(entry.settings)
      plan[same ? "unchanged" : "change"].push({ ...entry, uuid: existing.uuid })
    }
    firstLine.set(key, earlier ?? entry.line)
  }
  const banks = new Set(lines.map(({ settings }) => settings.bank_name.toLowerCase()))
  const left = known.filter((configuration) => !firstLine.has(keyOf(configuration)))
  plan.archive = archive_missing ? left.filter(({ bank_name }) => banks.has(bank_name.toLowerCase())) : []
  const staying = left.filter((configuration) => !plan.archive.includes(configuration))
  for (const { line, settings } of lines) {
    const others = [...staying, ...lines.filter((other) => other.line < line).map((other) => other.settings)]
    const overlapping = others.find((other) => keyOf(other) !== keyOf(settings) && overlap(settings, other))
    if (overlapping !== undefined) {
      plan.errors.push(lineFault(line, null, overlapMessage(overlapping)))
    }
  }
  return plan
}

function keyOf({ bank_name, tenure_months, min_amount_minor }: EmiSettings): string {
  return [bank_name.toLowerCase(), tenure_months, min_amount_minor].join("\n")
}

/** Whether a bank would offer both configurations for the same tenure and some amount. */
export function overlap(one: EmiSettings, other: EmiSettings): boolean {
  return (
    one.is_active &&
    other.is_active &&
    one.tenure_months === other.tenure_months &&
    one.bank_name.toLowerCase() === other.bank_name.toLowerCase() &&
    one.min_amount_minor <= other.max_amount_minor &&
    other.min_amount_minor <= one.max_amount_minor
  )
}

export function overlapMessage({ bank_name, tenure_months, ...range }: EmiSettings): Message {
  return messageOf("refusal.emi_overlap", {
    bank: bank_name,
    months: tenure_months,
    min: formatAmount(range.min_amount_minor),
    max: formatAmount(range.max_amount_minor),
  })
}

/** Everything that can differ, as one text for comparison. */
function settingsText(settings: EmiSettings): string {
  return JSON.stringify([
    settings.bank_name,
    settings.tenure_months,
    settings.rate_ppm,
    settings.method,
    settings.fee_kind,
    settings.fee_value,
    settings.merchant_absorbs,
    settings.min_amount_minor,
    settings.max_amount_minor,
    settings.is_active,
    settings.card_prefixes,
  ])
}
