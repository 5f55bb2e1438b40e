import { PROPOSAL_STATUSES } from "../../../../modules/gateway/domain/refund-proposal"
import { tenantEndpoint } from "../../../desk/endpoint"
import { listSchema, presentList, readList, several } from "../../../desk/list"
import { presentProposal } from "./present"

const query = listSchema({ status: several(PROPOSAL_STATUSES).optional() }, ["created_at"])

/** Refunds that returns, claims and cancelled orders ask for, newest first; `q` is the id of one, or of its order, transaction or return. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query: sent }) => {
  const filter = readList(query, sent)
  return presentList("refund_proposals", await gateway.refundProposals.list(tenant, filter, filter), filter, presentProposal)
})
