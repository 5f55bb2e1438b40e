import { isUnderWay } from "../../../../../modules/gateway/domain/refund-proposal"
import { stillToGive } from "../../../../../workflows/returns/confirm-proposal"
import { storeEndpoint } from "../../../../desk/endpoint"
import { presentWithRest } from "../present"

/** One proposal, with what can be given back for it now. */
export const GET = storeEndpoint(async ({ gateway, request, params }) => {
  const proposal = await gateway.refundProposals.retrieve(params.id)
  const isSettled = proposal.state === "dismissed" || isUnderWay(proposal)
  return { refund_proposal: presentWithRest(proposal, isSettled ? null : await stillToGive(request.scope, proposal)) }
})
