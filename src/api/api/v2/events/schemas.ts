import { z } from "@medusajs/framework/zod"
import { EVENT_TYPES } from "../../../../modules/gateway/domain/events"
import type { EventFilter } from "../../../../modules/gateway/services/event"
import type { JsonObject } from "../../../contract/body"
import { instant, parse, withoutAbsent } from "../../../contract/validate"

const filterSchema = z.object({
  event_type: z.enum(EVENT_TYPES, "is no event").optional(),
  from: instant.optional(),
  to: instant.optional(),
})

export function readEventFilter(query: JsonObject): EventFilter {
  return parse(filterSchema, withoutAbsent(query, []))
}
