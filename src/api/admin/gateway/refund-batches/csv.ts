import { messageOf } from "../../../../i18n/message"
import { lineFault, readTable, type CsvRecord } from "../../../../modules/gateway/kernel/csv"
import type { FieldError } from "../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
import type { BatchItem } from "../../../../modules/gateway/refunds/batches"
import { refundSchema, toItem } from "../../../api/v2/payments/refund/schemas"
import { check, withoutAbsent } from "../../../v2-kit/validate"

const COLUMNS = ["transaction_id", "refund_amount", "refund_reason", "refund_type", "notify_customer"]
const REQUIRED = ["transaction_id", "refund_reason"]

export type BatchLine = { line: number; item: BatchItem }

/** Parses a file of refunds into lines, or into the errors of all lines. Fields are named `lines[3].refund_amount`. */
export function readBatchFile(csv: string): { lines: BatchLine[]; errors: FieldError[] } {
  const table = readTable(csv)
  if (table.header === null) {
    return { lines: [], errors: table.errors }
  }
  const { header, rows } = table
  const names = header.cells.map((cell) => cell.toLowerCase())
  const wrong = headerErrors(header.line, names, rows.length)
  if (wrong.length > 0) {
    return { lines: [], errors: wrong }
  }
  const read = rows.map((row) => readRow(names, row))
  return { lines: read.flatMap(({ line }) => line ?? []), errors: read.flatMap(({ errors }) => errors) }
}

function headerErrors(line: number, names: string[], rows: number): FieldError[] {
  const max = LIMITS.refundBatchMax
  return [
    ...names
      .filter((name) => !COLUMNS.includes(name))
      .map((name) => lineFault(line, null, messageOf("file.column_unknown", { name, columns: COLUMNS.join(", ") }))),
    ...names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => lineFault(line, null, messageOf("file.column_twice", { name }))),
    ...REQUIRED.filter((name) => !names.includes(name)).map((name) =>
      lineFault(line, null, messageOf("file.column_missing", { name }))
    ),
    ...(rows < 1 || rows > max ? [lineFault(line, null, messageOf("file.refunds", { max }))] : []),
  ]
}

function readRow(names: string[], { line, cells }: CsvRecord): { line: BatchLine | null; errors: FieldError[] } {
  if (cells.length !== names.length) {
    return {
      line: null,
      errors: [lineFault(line, null, messageOf("file.cells", { count: cells.length, columns: names.length }))],
    }
  }
  const fields = Object.fromEntries(
    names.map((name, index) => [name, name === "notify_customer" ? flagOf(cells[index]) : cells[index]])
  )
  const { value, failures } = check(refundSchema, withoutAbsent(fields, []))
  return value === null
    ? { line: null, errors: failures.map(({ field, reason }) => lineFault(line, field, reason)) }
    : { line: { line, item: toItem(value) }, errors: [] }
}

/** A value that is neither yes nor no is passed on: the schema refuses it. */
function flagOf(cell: string): unknown {
  const text = cell.toLowerCase()
  return ["true", "yes", "1"].includes(text) ? true : ["false", "no", "0"].includes(text) ? false : cell
}
