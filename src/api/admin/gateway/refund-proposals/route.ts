import { PROPOSAL_STATUSES } from "../../../../modules/gateway/domain/refund-proposal"
import { text } from "../../../contract/validate"
import { storeEndpoint } from "../../../desk/endpoint"
import { listSchema, presentList, readList, several } from "../../../desk/list"
import { presentProposal } from "./present"

const query = listSchema({ status: several(PROPOSAL_STATUSES).optional(), order_id: text(64).optional() }, ["created_at"])

/** Refunds that returns, claims and cancelled orders ask for, newest first. */
export const GET = storeEndpoint(async ({ gateway, query: sent }) => {
  const filter = readList(query, sent)
  return presentList("refund_proposals", await gateway.refundProposals.list(filter, filter), filter, presentProposal)
})
