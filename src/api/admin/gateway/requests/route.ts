import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import type { LoggedRequest } from "../../../../modules/gateway/merchants/request-log"
import { text } from "../../../v2-kit/validate"
import { listSchema, one, readList } from "../../../admin-kit/list"

const query = listSchema(
  {
    method: one(["GET", "POST", "PATCH", "DELETE"]).optional(),
    outcome: one(["succeeded", "refused", "failed"]).optional(),
    key_id: text(64).optional(),
  },
  ["requested_at"]
)

/** Requests to `/api/v2` with a key of this merchant, revoked and expired keys included. */
export const GET = listEndpoint({
  name: "requests",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, filter, window) => gateway.requestLog.list(tenant, filter, window),
  present,
  columns: csvColumns(
    "id",
    "requested_at",
    "method",
    "path",
    ["status_code", "status"],
    "error_code",
    "duration_ms",
    ["name", "key_name"],
    ["prefix", "key"],
    "request_id",
    "address"
  ),
})

function present({ key_prefix, key_last_four, ...row }: LoggedRequest): object {
  return { ...row, key: `${key_prefix}…${key_last_four}` }
}
