import { estimatedCompletion } from "../../../../modules/gateway/refunds/rules"
import { formatAmount } from "../../../../modules/gateway/kernel/money"
import type { Refund } from "../../../../modules/gateway/refunds/service"

/** All details of a refund for the admin. Amounts in the payment's currency. */
export function presentRefund(refund: Refund): Record<string, unknown> {
  return {
    id: refund.id,
    transaction_id: refund.transaction_id,
    merchant_id: refund.merchant_id,
    environment: refund.environment,
    status: refund.state,
    type: refund.type,
    amount: formatAmount(refund.amount_minor),
    currency: refund.currency,
    reason: refund.reason,
    metadata: refund.metadata ?? {},
    held_for: refund.held_for,
    requested_by: refund.requested_by,
    reviewed_by: refund.reviewed_by,
    review_note: refund.review_note,
    batch_id: refund.batch_id,
    acquirer_reference: refund.acquirer_reference,
    error_code: refund.error_code,
    error_message: refund.error_message,
    unresolved: presentUnresolved(refund),
    estimated_completion: estimatedCompletion(refund.created_at).toISOString(),
    created_at: refund.created_at.toISOString(),
    completed_at: refund.completed_at?.toISOString() ?? null,
  }
}

/** What to look for in the acquirer's dashboard; null: the acquirer itself reports what became of the refund. */
function presentUnresolved({ id: key, state, operator_since: since, acquirer_ids: references }: Refund): object | null {
  return state === "processing" && since !== null ? { key, since: since.toISOString(), references } : null
}
