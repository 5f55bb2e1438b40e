import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { text } from "../../../v2-kit/validate"
import { listSchema, one, readList } from "../../../admin-kit/list"
import { namesOf } from "../../../admin-kit/present"
import { ACTOR_TYPES } from "../../../../modules/gateway/kernel/database/logged-actions"
import { plansIn, presentChange, textsIn } from "./resource"

const query = listSchema({ action: text(64).optional(), actor_type: one(ACTOR_TYPES).optional() }, ["created_at"])

/** Who changed what, when, from what to what: in this environment, and of the merchant as a whole. */
export const GET = listEndpoint({
  name: "audit_entries",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, filter, window) => gateway.auditLog.list(tenant, filter, window),
  extra: async ({ request, gateway, tenant }, rows) => ({
    actors: await namesOf(
      request.scope,
      rows.flatMap((row) => [row.actor_id, ...textsIn(row)])
    ),
    plans: new Map(await gateway.plans.names(tenant, [...new Set(rows.flatMap(plansIn))])),
  }),
  present: (row, _context, names) => presentChange(row, names),
  columns: csvColumns(
    "id",
    "created_at",
    "environment",
    ["actor_type", "actor.type"],
    ["actor_name", "actor.name"],
    ["actor_id", "actor.id"],
    "action",
    "resource_id",
    "changes",
    "address",
    "request_id"
  ),
})
