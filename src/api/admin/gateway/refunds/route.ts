import { REFUND_HOLDS, REFUND_TYPES } from "../../../../modules/gateway/refunds/rules"
import { REFUND_STATES } from "../../../../modules/gateway/refunds/states"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, one, presentList, readList, several } from "../../../admin-kit/list"
import { presentRefund } from "./present"
import { readNewRefund } from "./schemas"

const filters = {
  status: several(REFUND_STATES).optional(),
  type: one(REFUND_TYPES).optional(),
  held_for: one(REFUND_HOLDS).optional(),
  attention: one(["unresolved"]).optional(),
}
const query = listSchema(filters, ["created_at"])

/**
 * Refunds, newest first; `q` is the id of a refund, a transaction or a batch; `held_for=approval`: those that wait for
 * an admin.
 */
export const GET = tenantEndpoint(async ({ gateway, tenant, query: sent }) => {
  const { status: states, to: before, order, ...filter } = readList(query, sent)
  const page = await gateway.refundLists.window(
    tenant,
    { ...filter, states, before, descending: order.descending },
    filter
  )
  return presentList("refunds", page, filter, presentRefund)
})

/** An admin's refund, which needs no approval. A repeated `request_key` for a transaction refunds once. */
export const POST = tenantEndpoint(async ({ gateway, tenant, actor, body }) => {
  const refund = await gateway.refunds.create({ ...readNewRefund(body), tenant, requested_by: actor.id, by: tenant })
  return { refund: presentRefund(refund) }
})
