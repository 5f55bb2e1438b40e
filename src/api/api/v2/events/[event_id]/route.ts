import { eventBody } from "../../../../../modules/gateway/kernel/database/events"
import { operation } from "../../../../v2-kit/operation"
import { EXAMPLE, anyEvent } from "../resource"
import { enveloped } from "../../../../v2-kit/answers"

export const GET = operation({
  id: "getEvent",
  tag: "Events",
  summary: "Get an event",
  description:
    "Events are removed by whole months, once they are older than 90 days, in the sandbox every week once they are older than seven: `404 NOT_FOUND`.",
  scope: "webhooks:read",
  answer: enveloped({
    message: "Event",
    data: anyEvent,
    description: "The event, in the shape in which it is delivered.",
    example: EXAMPLE,
  }),
  run: async ({ gateway, caller, params }) => eventBody(await gateway.events.retrieve(caller, params.event_id)),
})
