import { isUnderWay } from "../../../../../modules/gateway/refunds/proposals/rules"
import { stillToGive } from "../../../../../store/returns/confirm-proposal"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentWithRest } from "../present"

/** One proposal, with the amount that can be refunded for it now. */
export const GET = tenantEndpoint(async ({ gateway, tenant, request, params }) => {
  const proposal = await gateway.refundProposals.retrieve(params.id, tenant)
  const isSettled = proposal.state === "dismissed" || isUnderWay(proposal)
  return { refund_proposal: presentWithRest(proposal, isSettled ? null : await stillToGive(request.scope, proposal)) }
})
