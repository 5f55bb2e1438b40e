import { z } from "@medusajs/framework/zod"
import type { JsonObject } from "../../../../v2-kit/body"
import { instant, parse, text, withoutAbsent, rule } from "../../../../v2-kit/validate"

export const filterSchema = z.object({
  endpoint_id: text(64).optional(),
  event_id: text(64).optional(),
  event_type: text(64).optional(),
  after: text(64).optional(),
  status: z
    .enum(["pending", "delivered", "failed"], rule("either", { values: "pending, delivered", last: "failed" }))
    .optional(),
})

export const sinceSchema = z.object({ since: instant })

export function readSince(body: JsonObject): Date {
  return parse(sinceSchema, withoutAbsent(body, [])).since
}
