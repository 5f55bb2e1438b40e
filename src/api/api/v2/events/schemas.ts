import { z } from "@medusajs/framework/zod"
import { EVENT_TYPES } from "../../../../modules/gateway/kernel/events"
import type { EventFilter } from "../../../../modules/gateway/webhooks/events"
import type { JsonObject } from "../../../v2-kit/body"
import { instant, parse, withoutAbsent, rule } from "../../../v2-kit/validate"

export const filterSchema = z.object({
  event_type: z.enum(EVENT_TYPES, rule("event")).optional(),
  from: instant.optional(),
  to: instant.optional(),
})

export function readEventFilter(query: JsonObject): EventFilter {
  return parse(filterSchema, withoutAbsent(query, []))
}
