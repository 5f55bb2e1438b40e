import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentProposal } from "../../resource"

/** Dismisses a proposal: nothing is refunded for it. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, actor }) => {
  const { id } = await gateway.refundProposals.retrieve(params.id, tenant)
  return {
    refund_proposal: presentProposal(await gateway.refundProposals.dismiss(id, { by: { actor }, name: actor.id })),
  }
})
