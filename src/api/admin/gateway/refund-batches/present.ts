import { presentMessage } from "../../../admin-kit/message"
import { translate } from "../../../../i18n/translate"
import { inOrder } from "../../../../modules/gateway/kernel/currencies"
import { formatAmount } from "../../../../modules/gateway/kernel/money"
import { REFUND_STATES, type RefundState } from "../../../../modules/gateway/refunds/states"
import type { RefundBatch } from "../../../../modules/gateway/refunds/batches"
import type { PreviewedItem } from "../../../../modules/gateway/refunds/preview"
import { presentRefund } from "../refunds/present"
import type { BatchLine } from "./csv"

/** What a file would refund, line by line, and in all: a total for each currency, as amounts of two cannot be added. */
export function presentPreview(lines: readonly BatchLine[], previewed: readonly PreviewedItem[]): object {
  const rows = previewed.flatMap((item, index) => ("obstacle" in item ? [] : [{ ...item, ...lines[index] }]))
  return {
    dry_run: true,
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
export function presentBatch(batch: RefundBatch): object {
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
