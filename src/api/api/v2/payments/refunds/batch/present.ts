import { translate } from "../../../../../../i18n/translate"
import { REFUND_STATES, type RefundState } from "../../../../../../modules/gateway/refunds/states"
import type { RefundBatch } from "../../../../../../modules/gateway/refunds/batches"

type Item = {
  transaction_id: string
  refund_id: string | null
  status: RefundState
  error?: { code: string; message: string }
}

/**
 * `failed` counts items refused at once and items that the acquirer refused later; `successful` all others that are not
 * cancelled. `progress` counts the items by status.
 */
export function presentBatch(batch: RefundBatch) {
  const refunds = batch.items.map(presentItem)
  const count = (state: RefundState) => refunds.filter(({ status }) => status === state).length
  return {
    batch_id: batch.id,
    total_refunds: batch.total,
    successful: batch.total - count("failed") - count("cancelled"),
    failed: count("failed"),
    refunds,
    progress: Object.fromEntries(REFUND_STATES.map((state) => [state, count(state)])),
    created_at: batch.created_at.toISOString(),
  }
}

function presentItem(item: RefundBatch["items"][number]): Item {
  if ("refused" in item) {
    const { transaction_id, code, reason } = item.refused
    return { transaction_id, refund_id: null, status: "failed", error: { code, message: translate(reason) } }
  }
  const { transaction_id, id: refund_id, state: status, error_code, error_message } = item.refund
  const error = { code: error_code ?? "", message: error_message ?? "" }
  return { transaction_id, refund_id, status, ...(status === "failed" ? { error } : {}) }
}
