import { formatAmount } from "../../../../../modules/gateway/kernel/money"
import type { ListedDispute } from "../../../../../modules/gateway/disputes/list"

/** A dispute as merchants see it. `reference` is the acquirer's number; times are on the merchant's clock. */
export function presentDispute(dispute: ListedDispute): Record<string, unknown> {
  return {
    dispute_id: dispute.id,
    transaction_id: dispute.transaction_id,
    order_id: dispute.order_id,
    status: dispute.state,
    reason: dispute.reason,
    amount: formatAmount(dispute.amount_minor),
    fee_amount: formatAmount(dispute.fee_minor),
    fee_returned: dispute.fee_returned,
    currency: dispute.currency,
    reference: dispute.acquirer_reference,
    evidence_due_by: at(dispute.due_by),
    is_overdue: dispute.missed_at !== null,
    accepted: dispute.accepted_at !== null,
    submitted_at: at(dispute.submitted_at),
    closed_at: at(dispute.closed_at),
    opened_at: at(dispute.opened_at),
    created_at: at(dispute.recorded_at),
  }
}

function at(moment: Date | null): string | null {
  return moment?.toISOString() ?? null
}
