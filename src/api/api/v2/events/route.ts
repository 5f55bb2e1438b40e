import { eventBody } from "../../../../modules/gateway/kernel/events"
import { endpoint } from "../../../v2-kit/endpoint"
import { list } from "../../../v2-kit/envelopes"
import { readPage } from "../../../v2-kit/pagination"
import { readEventFilter } from "./schemas"

/** All events, newest first, in the shapes in which they are delivered. */
export const GET = endpoint(async ({ gateway, caller, query }) => {
  const page = readPage(query)
  const { rows, total } = await gateway.events.list(caller, readEventFilter(query), page)
  return list("Events", rows.map(eventBody), total, page)
})
