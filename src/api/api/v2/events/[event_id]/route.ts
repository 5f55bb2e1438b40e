import { eventBody } from "../../../../../modules/gateway/kernel/events"
import { endpoint } from "../../../../v2-kit/endpoint"
import { envelope } from "../../../../v2-kit/envelopes"

export const GET = endpoint(async ({ gateway, caller, params }) =>
  envelope("Event", eventBody(await gateway.events.retrieve(caller, params.event_id)))
)
