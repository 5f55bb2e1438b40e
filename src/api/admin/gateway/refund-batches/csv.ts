import { MalformedCsv, parseCsv, type CsvRecord } from "../../../../modules/gateway/kernel/csv"
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
  let records: CsvRecord[]
  try {
    records = parseCsv(csv)
  } catch (error) {
    if (error instanceof MalformedCsv) {
      return { lines: [], errors: [at(error.line, null, error.message)] }
    }
    throw error
  }
  const [header, ...rows] = records
  const names = header?.cells.map((cell) => cell.trim().toLowerCase()) ?? []
  const wrong =
    header === undefined ? [at(1, null, "the file is empty")] : headerErrors(header.line, names, rows.length)
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
      .map((name) => at(line, null, `"${name}" is no column; use ${COLUMNS.join(", ")}`)),
    ...names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => at(line, null, `the column ${name} is there twice`)),
    ...REQUIRED.filter((name) => !names.includes(name)).map((name) => at(line, null, `the column ${name} is missing`)),
    ...(rows < 1 || rows > max
      ? [at(line, null, `there must be 1 to ${max} refunds below the names of the columns`)]
      : []),
  ]
}

function readRow(names: string[], { line, cells }: CsvRecord): { line: BatchLine | null; errors: FieldError[] } {
  if (cells.length !== names.length) {
    return { line: null, errors: [at(line, null, `there are ${cells.length} cells for ${names.length} columns`)] }
  }
  const fields = Object.fromEntries(
    names.map((name, index) => [name, name === "notify_customer" ? flagOf(cells[index]) : cells[index]])
  )
  const { value, failures } = check(refundSchema, withoutAbsent(fields, []))
  return value === null
    ? { line: null, errors: failures.map(({ field, message }) => at(line, field, message)) }
    : { line: { line, item: toItem(value) }, errors: [] }
}

/** A value that is neither yes nor no is passed on: the schema refuses it. */
function flagOf(cell: string): unknown {
  const text = cell.toLowerCase()
  return ["true", "yes", "1"].includes(text) ? true : ["false", "no", "0"].includes(text) ? false : cell
}

export function at(line: number, field: string | null, message: string): FieldError {
  return { field: field === null ? `lines[${line}]` : `lines[${line}].${field}`, message: `line ${line}: ${message}` }
}
