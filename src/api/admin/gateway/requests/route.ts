import type { LoggedRequest } from "../../../../modules/gateway/merchants/request-log"
import { text } from "../../../v2-kit/validate"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, one, presentList, readList } from "../../../admin-kit/list"

const query = listSchema(
  {
    method: one(["GET", "POST", "PATCH", "DELETE"]).optional(),
    outcome: one(["succeeded", "refused", "failed"]).optional(),
    key_id: text(64).optional(),
  },
  ["requested_at"]
)

/** Requests to `/api/v2` with a key of this merchant, revoked and expired keys included. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query: sent }) => {
  const filter = readList(query, sent)
  return presentList("requests", await gateway.requestLog.list(tenant, filter, filter), filter, present)
})

function present({ key_prefix, key_last_four, ...row }: LoggedRequest): object {
  return { ...row, key: `${key_prefix}…${key_last_four}` }
}
