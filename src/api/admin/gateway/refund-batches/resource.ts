import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../i18n/message"
import { translate } from "../../../../i18n/translate"
import { type TableShape, readTable } from "../../../../modules/gateway/kernel/text/csv"
import { inOrder } from "../../../../modules/gateway/kernel/money/currencies"
import type { FieldError } from "../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { BatchItem, RefundBatch } from "../../../../modules/gateway/refunds/batches"
import type { PreviewedItem } from "../../../../modules/gateway/refunds/preview"
import { REFUND_STATES, type RefundState } from "../../../../modules/gateway/refunds/states"
import type GatewayModuleService from "../../../../modules/gateway/service"
import { paymentSummaries, presentMessage } from "../../../admin-kit/present"
import { refundSchema, toItem } from "../../../api/v2/payments/refund/resource"
import type { JsonObject } from "../../../v2-kit/body"
import { check, flag, parse, required, rule, text, withoutAbsent } from "../../../v2-kit/validate"
import { presentRefund } from "../refunds/resource"

/**
 * Rows with the order and the customer of their payments; null of a row that was refused, whose payment may be another
 * merchant's.
 */
export async function withPayments<Row extends { transaction_id: string; id?: string | null }>(
  gateway: GatewayModuleService,
  rows: readonly Row[]
) {
  const payment = await paymentSummaries(
    gateway,
    rows.filter(({ id }) => id !== null)
  )
  return rows.map((row) => ({
    ...row,
    order_number: payment(row.transaction_id)?.order_number ?? null,
    customer: payment(row.transaction_id)?.customer ?? null,
  }))
}

/** What a file would refund, line by line, and in all: a total for each currency, as amounts of two cannot be added. */
export function presentPreview(lines: readonly BatchLine[], previewed: readonly PreviewedItem[]) {
  const rows = previewed.flatMap((item, index) => ("obstacle" in item ? [] : [{ ...item, ...lines[index] }]))
  return {
    dry_run: true,
    waiting: rows.filter(({ waits }) => waits).length,
    totals: inOrder(rows.map(({ currency }) => currency)).map((code) => {
      const own = rows.filter(({ currency }) => currency === code)
      return { currency: code, amount: formatAmount(own.reduce((sum, { amount }) => sum + amount, 0n)) }
    }),
    lines: rows.map(({ line, item, order_id, amount, type, currency }) => ({
      line,
      transaction_id: item.transaction_id,
      order_id,
      amount: formatAmount(amount),
      type,
      currency,
      reason: item.reason,
    })),
  }
}

/** The progress of a batch: `progress` counts its refunds by status, `finished`: none of them is waiting any more. */
export function presentBatch(batch: RefundBatch) {
  const refunds = batch.items.map((item) =>
    "refund" in item
      ? { position: item.position, ...presentRefund(item.refund) }
      : {
          position: item.position,
          id: null,
          transaction_id: item.refused.transaction_id,
          status: "failed",
          error_code: item.refused.code,
          error_message: translate(item.refused.reason),
          refusal: presentMessage(item.refused.reason),
        }
  )
  const count = (state: RefundState) => refunds.filter(({ status }) => status === state).length
  const underWay = batch.items.filter(
    (item) =>
      "refund" in item &&
      (item.refund.state === "processing" || (item.refund.state === "pending" && item.refund.held_for === "batch"))
  )
  return {
    id: batch.id,
    total: batch.total,
    created_at: batch.created_at.toISOString(),
    progress: Object.fromEntries(REFUND_STATES.map((state) => [state, count(state)])),
    finished: underWay.length === 0,
    refunds,
  }
}

const schema = z.object({
  csv: z.string(required(rule("csv"))),
  /** Only say what would be done. */
  dry_run: flag.default(false),
  /** The form makes it, so that a second click does not create a second batch. */
  request_key: text(64).nullish(),
})

export function readBatchInput(body: JsonObject): z.output<typeof schema> {
  return parse(schema, body)
}

const TABLE: TableShape = {
  columns: ["transaction_id", "refund_amount", "refund_reason", "refund_type", "notify_customer"],
  required: ["transaction_id", "refund_reason"],
  numbers: ["refund_amount"],
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
