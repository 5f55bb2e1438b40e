import { EVENT_TYPES } from "../../../../modules/gateway/kernel/events"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, one, presentList, readList } from "../../../admin-kit/list"
import { presentEvent } from "./present"

const query = listSchema({ event_type: one(EVENT_TYPES).optional() }, ["created_at"])

/** All events, whether or not an endpoint received them. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query: sent }) => {
  const filter = readList(query, sent)
  return presentList("events", await gateway.webhookLog.events(tenant, filter, filter), filter, presentEvent)
})
