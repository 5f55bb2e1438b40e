import { csvColumns } from "../../../admin-kit/csv"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, readList, several } from "../../../admin-kit/list"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { paymentSummaries } from "../../../admin-kit/present"
import { DISPUTE_STATES } from "../../../../modules/gateway/disputes/states"
import { text } from "../../../v2-kit/validate"
import { presentAdminDispute, presentWhole, readNewDispute } from "./resource"

const query = listSchema(
  {
    status: several(DISPUTE_STATES).optional(),
    transaction_id: text(64).optional(),
    subscription_id: text(64).optional(),
  },
  ["opened_at"]
)

/** Disputes, the last opened first; `q` is the id of one or of its payment, the acquirer's number of it, or its order's. */
export const GET = listEndpoint({
  name: "disputes",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, filter, window) => gateway.disputeList.list(tenant, filter, window),
  extra: async ({ gateway }, rows) => paymentSummaries(gateway, rows),
  present: (dispute, _context, payment) => ({
    ...presentAdminDispute(dispute),
    customer: payment(dispute.transaction_id)?.customer ?? null,
  }),
  columns: csvColumns(
    "id",
    "status",
    "reason",
    "amount",
    "fee_amount",
    "currency",
    "transaction_id",
    "order_id",
    "order_number",
    ["customer_name", "customer.name"],
    ["customer_email", "customer.email"],
    ["customer_phone", "customer.phone"],
    "reference",
    ["due_by", "evidence_due_by"],
    "opened_at",
    "submitted_at",
    "closed_at",
    "note"
  ),
})

/** Records a dispute by hand; where the acquirer reports disputes, it is asked for the one with this `reference`. */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, body } = context
  const { id } = await gateway.disputes.record(tenant, readNewDispute(body, tenant.now))
  return presentWhole(context, id)
})
