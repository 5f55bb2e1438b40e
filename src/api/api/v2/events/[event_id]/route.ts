import { eventBody } from "../../../../../modules/gateway/domain/events"
import { endpoint } from "../../../../contract/endpoint"
import { envelope } from "../../../../contract/envelopes"

export const GET = endpoint(async ({ gateway, caller, params }) =>
  envelope("Event", eventBody(await gateway.events.retrieve(caller, params.event_id)))
)
