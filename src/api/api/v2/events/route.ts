import { eventBody } from "../../../../modules/gateway/kernel/events"
import { endpoint } from "../../../v2-kit/endpoint"
import { list, listAfter } from "../../../v2-kit/envelopes"
import { noPageWithCursor, readList } from "../../../v2-kit/pagination"
import { filterSchema } from "./schemas"

/** All events in the shapes in which they are delivered: newest first, or after one that the reader has, oldest first. */
export const GET = endpoint(async ({ gateway, caller, query }) => {
  const { filter, page } = readList(query, filterSchema, { also: noPageWithCursor })
  const { after, ...rest } = filter
  if (after !== undefined) {
    const { rows, has_more } = await gateway.events.after(caller, { ...rest, after }, page.per_page)
    return listAfter("Events", rows.map(eventBody), has_more, page)
  }
  const { rows, total } = await gateway.events.list(caller, rest, page)
  return list("Events", rows.map(eventBody), total, page)
})
