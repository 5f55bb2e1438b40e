import { eventBody } from "../../../../modules/gateway/domain/events"
import { endpoint } from "../../../contract/endpoint"
import { list } from "../../../contract/envelopes"
import { readPage } from "../../../contract/pagination"
import { readEventFilter } from "./schemas"

/** What happened, newest first, in the shapes in which it is delivered. */
export const GET = endpoint(async ({ gateway, caller, request }) => {
  const page = readPage(request.query)
  const { rows, total } = await gateway.events.list(caller, readEventFilter(request.query), page)
  return list("Events", rows.map(eventBody), total, page)
})
