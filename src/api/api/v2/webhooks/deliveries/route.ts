import { operation } from "../../../../v2-kit/operation"
import { noPageWithCursor, readList } from "../../../../v2-kit/lists"
import { EXAMPLE, delivery, filterSchema, presentDelivery } from "./resource"
import { listedOrAfter } from "../../../../v2-kit/answers"

/** The log of deliveries with every attempt (decisions: Webhooks). */
export const GET = operation({
  id: "listDeliveries",
  tag: "Webhooks",
  summary: "List deliveries",
  description: [
    "Every event on its way to every receiver, newest first, with all attempts. With `after` they come oldest first, in the",
    "order of their events, and none ever appears behind you.",
  ].join(" "),
  scope: "webhooks:read",
  query: {
    schema: filterSchema,
    notes: {
      endpoint_id: "Only those to this endpoint, by its `id` or its `uuid`.",
      event_id: "Only those of this event.",
      event_type: "Only those of events of this type.",
      status: "Only those of this status.",
      after: "Only those after the one with this `id`, oldest first; `start`: from the oldest on. Without `page`.",
    },
    paging: "per_page",
  },
  answer: listedOrAfter({
    message: "Webhook deliveries",
    item: delivery,
    description: "A page of deliveries.",
    example: EXAMPLE,
  }),
  run: async ({ gateway, caller, query }) => {
    const { filter, page } = readList(query, filterSchema, { also: noPageWithCursor })
    const { after, ...rest } = filter
    if (after !== undefined) {
      const { rows, has_more } = await gateway.webhookDeliveries.after(caller, { ...rest, after }, page.per_page)
      return { rows: rows.map(presentDelivery), has_more, page }
    }
    const { rows, total } = await gateway.webhookDeliveries.list(caller, rest, page)
    return { rows: rows.map(presentDelivery), total, page }
  },
})
