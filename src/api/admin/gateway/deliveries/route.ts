import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { listSchema, one, readList } from "../../../admin-kit/list"
import { text } from "../../../v2-kit/validate"
import { presentDelivery } from "./resource"

const query = listSchema(
  {
    status: one(["pending", "delivered", "failed"]).optional(),
    kind: one(["webhook", "ipn"]).optional(),
    webhook_id: text(64).optional(),
  },
  ["created_at"]
)

export const GET = listEndpoint({
  name: "deliveries",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, { webhook_id, ...filter }, window) =>
    gateway.webhookLog.deliveries(tenant, { ...filter, endpoint_id: webhook_id }, window),
  present: presentDelivery,
  columns: csvColumns(
    "id",
    "number",
    "kind",
    "event_id",
    "event_type",
    "webhook_id",
    "url",
    "status",
    "attempts",
    "next_attempt_at",
    "status_code",
    ["error_message", "error.message"],
    "delivered_at",
    "created_at"
  ),
})
