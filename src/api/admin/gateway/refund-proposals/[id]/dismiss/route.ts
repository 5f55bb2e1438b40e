import { storeEndpoint } from "../../../../../desk/endpoint"
import { presentProposal } from "../../present"

/** Nothing is refunded for it. */
export const POST = storeEndpoint(async ({ gateway, params, actor }) => ({
  refund_proposal: presentProposal(await gateway.refundProposals.dismiss(params.id, { by: { actor }, name: actor.id })),
}))
