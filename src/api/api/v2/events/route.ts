import { eventBody } from "../../../../modules/gateway/kernel/database/events"
import { operation } from "../../../v2-kit/operation"
import { noPageWithCursor, readList } from "../../../v2-kit/lists"
import { EXAMPLE, anyEvent, filterSchema } from "./resource"
import { listedOrAfter } from "../../../v2-kit/answers"

/** All events in the shapes in which they are delivered: newest first, or after one that the reader has, oldest first. */
export const GET = operation({
  id: "listEvents",
  tag: "Events",
  summary: "List events",
  description: [
    "Everything that has happened in the last 90 days or longer, in the sandbox in the last seven, newest first, delivered or not.",
    "To read all events without missing one, ask with `after`, first `after=start`, then the `event_id` of the last event of",
    "the answer before: they come oldest first, in an order in which nothing ever appears behind you.",
  ].join(" "),
  scope: "webhooks:read",
  query: {
    schema: filterSchema,
    notes: {
      event_type: "Only events of this type.",
      from: "Only events from this moment on.",
      to: "Only events before this moment.",
      after:
        "Only events after the one with this `event_id`, oldest first; `start`: from the oldest on. Without `page`.",
    },
    paging: "per_page",
  },
  answer: listedOrAfter({ message: "Events", item: anyEvent, description: "A page of events.", example: EXAMPLE }),
  run: async ({ gateway, caller, query }) => {
    const { filter, page } = readList(query, filterSchema, { also: noPageWithCursor })
    const { after, ...rest } = filter
    if (after !== undefined) {
      const { rows, has_more } = await gateway.events.after(caller, { ...rest, after }, page.per_page)
      return { rows: rows.map(eventBody), has_more, page }
    }
    const { rows, total } = await gateway.events.list(caller, rest, page)
    return { rows: rows.map(eventBody), total, page }
  },
})
