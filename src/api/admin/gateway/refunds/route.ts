import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { REFUND_HOLDS, REFUND_TYPES } from "../../../../modules/gateway/refunds/rules"
import { REFUND_STATES } from "../../../../modules/gateway/refunds/states"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, one, readList, several } from "../../../admin-kit/list"
import { namesOf, paymentSummaries } from "../../../admin-kit/present"
import { actorsOf, presentActors, presentRefund, readNewRefund } from "./resource"

const filters = {
  status: several(REFUND_STATES).optional(),
  type: one(REFUND_TYPES).optional(),
  held_for: one(REFUND_HOLDS).optional(),
  attention: one(["unresolved", "failed"]).optional(),
}
const query = listSchema(filters, ["created_at"])

/**
 * Refunds, newest first; `q` is the id of a refund, a transaction or a batch, the acquirer's number of a refund, or an
 * order's; `held_for=approval`: those that wait for an admin.
 */
export const GET = listEndpoint({
  name: "refunds",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, { status: states, to: before, order, ...filter }, window) =>
    gateway.refundList.window(tenant, { ...filter, states, before, descending: order.descending }, window),
  extra: async ({ gateway, request }, rows) => ({
    payment: await paymentSummaries(gateway, rows),
    names: await namesOf(request.scope, rows.flatMap(actorsOf)),
  }),
  present: (row, _context, { payment, names }) => ({
    ...presentRefund(row),
    ...presentActors(row, names),
    customer: payment(row.transaction_id)?.customer ?? null,
    order_id: payment(row.transaction_id)?.order_id ?? null,
    order_number: payment(row.transaction_id)?.order_number ?? null,
    payment_source: payment(row.transaction_id)?.source ?? null,
  }),
  columns: csvColumns(
    "id",
    "transaction_id",
    "order_id",
    "order_number",
    "status",
    "type",
    "amount",
    "currency",
    "reason",
    "held_for",
    ["requested_by", "requested_by_name"],
    ["reviewed_by", "reviewed_by_name"],
    "review_note",
    "batch_id",
    "acquirer_reference",
    "error_code",
    "error_message",
    ["customer_name", "customer.name"],
    ["customer_email", "customer.email"],
    ["customer_phone", "customer.phone"],
    "created_at",
    "completed_at",
    "dealt_with_at",
    ["dealt_with_by", "dealt_with_by_name"],
    "dealt_with_note"
  ),
})

/** An admin's refund; above a limit it waits for approval. A repeated `request_key` for a transaction refunds once. */
export const POST = tenantEndpoint(async ({ gateway, tenant, actor, roles, body }) => {
  const refund = await gateway.refunds.create({
    ...readNewRefund(body),
    tenant,
    requested_by: actor.id,
    by: tenant,
    roles,
    subject_to_approval: true,
  })
  return { refund: presentRefund(refund) }
})
