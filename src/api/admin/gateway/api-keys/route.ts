import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, presentList, readList } from "../../../admin-kit/list"
import { presentKey } from "./present"
import { readKey } from "./schemas"

const query = listSchema({}, ["created_at"])

export const GET = tenantEndpoint(async ({ gateway, tenant, query: sent }) => {
  const filter = readList(query, sent)
  return presentList("api_keys", await gateway.apiKeys.page(tenant, filter, filter), filter, presentKey)
})

/** Only this response contains `key` (decisions: Environments). */
export const POST = tenantEndpoint(async ({ gateway, tenant, actor, body }) => {
  const { merchant_id, environment } = tenant
  const { key, ...row } = await gateway.apiKeys.create({ merchant_id, environment, ...readKey(body), by: { actor } })
  return { api_key: presentKey(row), key }
})
