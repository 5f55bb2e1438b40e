import { messageOf } from "../../../../i18n/message"
import { readTable, type TableShape } from "../../../../modules/gateway/kernel/csv"
import type { FieldError } from "../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
import type { BatchItem } from "../../../../modules/gateway/refunds/batches"
import { refundSchema, toItem } from "../../../api/v2/payments/refund/resource"
import { check, withoutAbsent } from "../../../v2-kit/validate"

const TABLE: TableShape = {
  columns: ["transaction_id", "refund_amount", "refund_reason", "refund_type", "notify_customer"],
  required: ["transaction_id", "refund_reason"],
  maxRows: LIMITS.refundBatchMax,
  count: messageOf("file.refunds", { max: LIMITS.refundBatchMax }),
}

export type BatchLine = { line: number; item: BatchItem }

/** Parses a file of refunds into lines, or into the errors of all lines. Fields are named `lines[3].refund_amount`. */
export function readBatchFile(csv: string): { lines: BatchLine[]; errors: FieldError[] } {
  return readTable<BatchLine>(csv, TABLE, (cells, line) => {
    const { notify_customer, ...texts } = cells
    const flag = notify_customer === undefined ? {} : { notify_customer: flagOf(notify_customer) }
    const { value, failures } = check(refundSchema, withoutAbsent({ ...texts, ...flag }, []))
    return value === null ? { value, failures } : { value: { line, item: toItem(value) }, failures: [] }
  })
}

/** A value that is neither yes nor no is passed on: the schema refuses it. */
function flagOf(cell: string): unknown {
  const text = cell.toLowerCase()
  return ["true", "yes", "1"].includes(text) ? true : ["false", "no", "0"].includes(text) ? false : cell
}
