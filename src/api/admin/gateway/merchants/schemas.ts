import { z } from "@medusajs/framework/zod"
import type { JsonObject } from "../../../v2-kit/body"
import { atLeast, clearable, email, parse, required, rule, text } from "../../../v2-kit/validate"

const newSchema = z.object({ name: text(200).refine(atLeast(1), rule("not_empty")), email: email.optional() })

/** An empty or absent e-mail address means none: notifications are then not sent. */
const changeSchema = z.object({
  name: text(200).refine(atLeast(1), rule("not_empty")).optional(),
  email: clearable(email),
  status: z.enum(["active", "suspended"], required(rule("either", { values: "active", last: "suspended" }))).optional(),
  verification_status: z
    .enum(
      ["unverified", "pending", "approved", "rejected"],
      rule("either", { values: "unverified, pending, approved", last: "rejected" })
    )
    .optional(),
})

export function readNewMerchant(body: JsonObject): z.output<typeof newSchema> {
  return parse(newSchema, { ...body, email: body.email || undefined })
}

export function readMerchantChange(body: JsonObject): z.output<typeof changeSchema> {
  return parse(changeSchema, body)
}
