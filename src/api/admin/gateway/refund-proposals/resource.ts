import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { RefundProposal } from "../../../../modules/gateway/refunds/proposals/records"
import { statusOf } from "../../../../modules/gateway/refunds/proposals/rules"
import type { RemainingToRefund } from "../../../../store/returns/confirm-proposal"
import { presentHistory, presentMessage, presentMessageOrNull } from "../../../admin-kit/present"

/** A proposal for the admin; amounts are text with two decimals. */
export function presentProposal(row: RefundProposal) {
  const { id, merchant_id, environment, order_id, transaction_id, kind, return_id, claim_id, currency } = row
  const { refund_id, last_error, history, created_at } = row
  return {
    id,
    merchant_id,
    environment,
    order_id,
    transaction_id,
    kind,
    return_id,
    claim_id,
    status: statusOf(row),
    currency,
    items: row.items.map(({ amount_minor, ...line }) => ({ ...line, amount: formatAmount(amount_minor) })),
    shipping_amount: formatAmount(row.shipping_minor),
    amount: formatAmount(row.amount_minor),
    confirmed_amount: row.confirmed_minor === null ? null : formatAmount(row.confirmed_minor),
    confirmed_by: row.confirmed_by,
    confirmed_at: row.confirmed_at,
    refund_id,
    refund_error: row.refund_error,
    last_error: presentMessageOrNull(last_error),
    history: presentHistory(history),
    created_at,
  }
}

/** A proposal with what can be refunded at this moment: an amount, or why nothing. */
export function presentWithRest(row: RefundProposal, rest: RemainingToRefund | null) {
  return {
    ...presentProposal(row),
    refundable_amount: rest === null ? null : formatAmount(rest.amount),
    obstacle: rest?.obstacle ? { code: rest.obstacle.code, ...presentMessage(rest.obstacle.reason) } : null,
  }
}
