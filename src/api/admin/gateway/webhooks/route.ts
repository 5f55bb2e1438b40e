import { readEndpoint } from "../../../api/v2/merchants/webhooks/schemas"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, presentList, readList } from "../../../admin-kit/list"
import { presentWebhook } from "./present"

const query = listSchema({}, ["created_at"])

export const GET = tenantEndpoint(async ({ gateway, tenant, query: sent }) => {
  const { limit, offset } = readList(query, sent)
  const { rows, total } = await gateway.webhookEndpoints.list(tenant, { per_page: limit, offset })
  return presentList("webhooks", { rows, count: total, count_is_exact: true }, { limit, offset }, presentWebhook)
})

/** `secret` is only in this response and in that of a rotation (decisions: Webhooks). */
export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => {
  const row = await gateway.webhookEndpoints.create(tenant, readEndpoint(body, gateway.options.allowPrivateUrls))
  return { webhook: presentWebhook(row), secret: row.secret }
})
