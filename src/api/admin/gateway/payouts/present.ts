import { formatAmount } from "../../../../modules/gateway/kernel/money"
import type { Payout } from "../../../../modules/gateway/ledger/payouts"

export function presentPayout(payout: Payout): Record<string, unknown> {
  return {
    id: payout.id,
    merchant_id: payout.merchant_id,
    environment: payout.environment,
    status: payout.state,
    amount: formatAmount(payout.amount),
    currency: payout.currency,
    reference: payout.reference,
    note: payout.note,
    recorded_by: payout.recorded_by,
    recorded_at: payout.recorded_at.toISOString(),
    reversed_by: payout.reversed_by,
    reversed_at: payout.reversed_at?.toISOString() ?? null,
  }
}
