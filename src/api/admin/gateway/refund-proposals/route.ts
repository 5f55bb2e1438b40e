import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { PROPOSAL_STATUSES } from "../../../../modules/gateway/refunds/proposals/rules"
import { listSchema, readList, several } from "../../../admin-kit/list"
import { orderNumbers, paymentSummaries } from "../../../admin-kit/present"
import { presentProposal } from "./resource"

const query = listSchema({ status: several(PROPOSAL_STATUSES).optional() }, ["created_at"])

/**
 * Refunds that returns, claims and cancelled orders propose, newest first; `q` is the id of a proposal, of
 * its transaction or return, or its order's number or id.
 */
export const GET = listEndpoint({
  name: "refund_proposals",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, filter, window) => gateway.refundProposals.list(tenant, filter, window),
  extra: async ({ request, gateway }, rows) => ({
    number: await orderNumbers(
      request.scope,
      rows.map(({ order_id }) => order_id)
    ),
    payment: await paymentSummaries(gateway, rows),
  }),
  present: (row, _context, { number, payment }) => ({
    ...presentProposal(row),
    medusa_order_number: number(row.order_id),
    customer: payment(row.transaction_id)?.customer ?? null,
  }),
  columns: csvColumns(
    "id",
    "medusa_order_number",
    "order_id",
    "transaction_id",
    "kind",
    "return_id",
    "claim_id",
    "status",
    "amount",
    "shipping_amount",
    "confirmed_amount",
    "currency",
    "confirmed_by",
    "confirmed_at",
    "refund_id",
    "refund_error",
    ["customer_name", "customer.name"],
    ["customer_email", "customer.email"],
    ["customer_phone", "customer.phone"],
    "created_at"
  ),
})
