import { text } from "../../../v2-kit/validate"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, one, presentList, readList } from "../../../admin-kit/list"
import { namesOf } from "../../../admin-kit/names"
import { presentChange } from "./present"

const query = listSchema(
  { action: text(64).optional(), actor_type: one(["user", "admin_key", "merchant_key", "system"]).optional() },
  ["created_at"]
)

/** Who changed what, when, from what to what: in this environment, and of the merchant as a whole. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query: sent, request }) => {
  const filter = readList(query, sent)
  const page = await gateway.auditLog.list(tenant, filter, filter)
  const names = await namesOf(
    request.scope,
    page.rows.map(({ actor_id }) => actor_id)
  )
  return presentList("audit_entries", page, filter, (row) => presentChange(row, names))
})
