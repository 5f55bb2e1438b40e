import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { readEndpoint } from "../../../api/v2/merchants/webhooks/resource"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, readList } from "../../../admin-kit/list"
import { presentWebhook } from "./resource"

const query = listSchema({}, ["created_at"])

export const GET = listEndpoint({
  name: "webhooks",
  read: (sent) => readList(query, sent),
  page: async ({ gateway, tenant }, _filter, { limit, offset }) => {
    const { rows, total } = await gateway.webhookEndpoints.list(tenant, { per_page: limit, offset })
    return { rows, count: total, count_is_exact: true }
  },
  present: presentWebhook,
  columns: csvColumns(
    "id",
    "number",
    "endpoint_url",
    "event_types",
    "signature_format",
    "is_active",
    ["disabled_reason", "disabled_reason.message"],
    "failing_since",
    "created_at"
  ),
})

/** `secret` is only in this response and in that of a rotation (decisions: Webhooks). */
export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => {
  const row = await gateway.webhookEndpoints.create(tenant, readEndpoint(body, gateway.options.allowPrivateUrls))
  return { webhook: presentWebhook(row), secret: row.secret }
})
