import { PROPOSAL_STATUSES } from "../../../../modules/gateway/refunds/proposals/rules"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, presentList, readList, several } from "../../../admin-kit/list"
import { orderNumbers } from "../../../admin-kit/names"
import { presentProposal } from "./present"

const query = listSchema({ status: several(PROPOSAL_STATUSES).optional() }, ["created_at"])

/**
 * Refunds that returns, claims and cancelled orders propose, newest first; `q` is the id of a proposal, or of its
 * order, transaction or return.
 */
export const GET = tenantEndpoint(async ({ gateway, tenant, query: sent, request }) => {
  const filter = readList(query, sent)
  const page = await gateway.refundProposals.list(tenant, filter, filter)
  const number = await orderNumbers(
    request.scope,
    page.rows.map(({ order_id }) => order_id)
  )
  return presentList("refund_proposals", page, filter, (row) => ({
    ...presentProposal(row),
    medusa_order_number: number(row.order_id),
  }))
})
