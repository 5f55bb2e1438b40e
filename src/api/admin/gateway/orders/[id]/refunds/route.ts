import { presentHistory, presentMessageOrNull } from "../../../../../admin-kit/present"
import { isUnderWay } from "../../../../../../modules/gateway/refunds/proposals/rules"
import { formatAmount } from "../../../../../../modules/gateway/kernel/money/money"
import { stateOnOrder } from "../../../../../../modules/gateway/refunds/orders/rules"
import type { OrderRefund } from "../../../../../../modules/gateway/refunds/orders/service"
import { remainingToRefund } from "../../../../../../store/returns/confirm-proposal"
import { expectedRefunds, type ExpectedRefund } from "../../../../../../store/returns/expected"
import { storeEndpoint } from "../../../../../admin-kit/endpoint"
import { presentWithRest } from "../../../refund-proposals/resource"

/**
 * The refunds of one order: what its requested returns will propose, proposals, and every refund with the state of its
 * sync to the order.
 */
export const GET = storeEndpoint(async ({ gateway, request, params }) => {
  const proposals = await gateway.refundProposals.ofOrder(params.id)
  const refunds = await gateway.orderRefunds.ofOrder(params.id)
  const presented = await Promise.all(
    proposals.map(async (proposal) => {
      const isSettled = proposal.state === "dismissed" || isUnderWay(proposal)
      return presentWithRest(proposal, isSettled ? null : await remainingToRefund(request.scope, proposal))
    })
  )
  const expected = await expectedRefunds(request.scope, params.id)
  return {
    expected_refunds: expected.map(presentExpected),
    refund_proposals: presented,
    refunds: refunds.map(presentRefund),
  }
})

/** `automatic`: it is refunded when it is received, without an admin's decision. */
function presentExpected({ items, shipping, amount, ...about }: ExpectedRefund) {
  return {
    ...about,
    items: items.map(({ amount_minor, ...line }) => ({ ...line, amount: formatAmount(amount_minor) })),
    shipping_amount: formatAmount(shipping),
    amount: formatAmount(amount),
  }
}

/**
 * `on_order` is the state of the sync to Medusa's order: `waiting`, `shown`, `undone` (the refund failed later),
 * `dropped`.
 */
function presentRefund(row: OrderRefund) {
  const { refund_id, transaction_id, origin, medusa_refund_id, currency, reason, requested_by, last_error, history } =
    row
  return {
    id: refund_id,
    transaction_id,
    status: row.refund_state,
    amount: formatAmount(row.amount_minor),
    currency,
    reason,
    requested_by,
    error_message: row.error_message,
    made_by: origin,
    medusa_refund_id,
    on_order: stateOnOrder(row),
    last_error: presentMessageOrNull(last_error),
    history: presentHistory(history),
  }
}
