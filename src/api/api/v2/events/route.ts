import { eventBody } from "../../../../modules/gateway/kernel/events"
import { endpoint } from "../../../v2-kit/endpoint"
import { list } from "../../../v2-kit/envelopes"
import { readList } from "../../../v2-kit/pagination"
import { filterSchema } from "./schemas"

/** All events, newest first, in the shapes in which they are delivered. */
export const GET = endpoint(async ({ gateway, caller, query }) => {
  const { filter, page } = readList(query, filterSchema)
  const { rows, total } = await gateway.events.list(caller, filter, page)
  return list("Events", rows.map(eventBody), total, page)
})
