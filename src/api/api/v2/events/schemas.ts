import { z } from "@medusajs/framework/zod"
import { EVENT_TYPES } from "../../../../modules/gateway/kernel/events"
import { instant, rule, text } from "../../../v2-kit/validate"

export const filterSchema = z.object({
  event_type: z.enum(EVENT_TYPES, rule("event")).optional(),
  from: instant.optional(),
  to: instant.optional(),
  after: text(64).optional(),
})
