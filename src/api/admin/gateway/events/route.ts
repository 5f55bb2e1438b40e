import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { EVENT_TYPES } from "../../../../modules/gateway/kernel/database/events"
import { listSchema, one, readList } from "../../../admin-kit/list"
import { presentEvent } from "./resource"

const query = listSchema({ event_type: one(EVENT_TYPES).optional() }, ["created_at"])

/** All events, whether or not an endpoint received them. */
export const GET = listEndpoint({
  name: "events",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, filter, window) => gateway.webhookLog.events(tenant, filter, window),
  present: presentEvent,
  columns: csvColumns("id", "event_type", "resource_id", "occurred_at", "created_at"),
})
