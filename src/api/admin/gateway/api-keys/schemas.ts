import { z } from "@medusajs/framework/zod"
import type { JsonObject } from "../../../v2-kit/body"
import { instant, parse, text, withoutAbsent } from "../../../v2-kit/validate"

const keySchema = z.object({
  name: text(100),
  scopes: z
    .array(text(64))
    .min(1, "must name at least one scope; leave it out for a key that may do everything")
    .optional(),
  expires_at: instant.refine((at) => at.getTime() > Date.now(), "must be in the future").optional(),
})

export function readKey(body: JsonObject): z.output<typeof keySchema> {
  return parse(keySchema, withoutAbsent(body, []))
}
