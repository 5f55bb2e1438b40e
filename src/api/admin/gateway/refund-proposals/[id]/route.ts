import { isUnderWay } from "../../../../../modules/gateway/refunds/proposals/rules"
import { remainingToRefund } from "../../../../../store/returns/confirm-proposal"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { orderNumbers } from "../../../../admin-kit/present"
import { presentWithRest } from "../resource"

/** One proposal, with the amount that can be refunded for it now. */
export const GET = tenantEndpoint(async ({ gateway, tenant, request, params }) => {
  const proposal = await gateway.refundProposals.retrieve(params.id, tenant)
  const isSettled = proposal.state === "dismissed" || isUnderWay(proposal)
  const rest = isSettled ? null : await remainingToRefund(request.scope, proposal)
  const number = await orderNumbers(request.scope, [proposal.order_id])
  return {
    refund_proposal: { ...presentWithRest(proposal, rest), medusa_order_number: number(proposal.order_id) },
  }
})
