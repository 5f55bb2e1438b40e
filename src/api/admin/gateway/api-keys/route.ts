import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, readList } from "../../../admin-kit/list"
import { presentKey, readKey } from "./resource"

const query = listSchema({}, ["created_at"])

export const GET = listEndpoint({
  name: "api_keys",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, filter, window) => gateway.apiKeys.page(tenant, filter, window),
  present: presentKey,
  columns: csvColumns(
    "id",
    "name",
    "type",
    "prefix",
    "last_four",
    "scopes",
    "created_at",
    "last_used_at",
    "expires_at",
    "revoked_at"
  ),
})

/** Only this response contains `key` (decisions: Environments). */
export const POST = tenantEndpoint(async ({ gateway, tenant, actor, body }) => {
  const { merchant_id, environment } = tenant
  const { key, ...row } = await gateway.apiKeys.create({ merchant_id, environment, ...readKey(body), by: { actor } })
  return { api_key: presentKey(row), key }
})
