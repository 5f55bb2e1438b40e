import { z } from "@medusajs/framework/zod"
import type { ApiKey } from "../../../../modules/gateway/merchants/api-keys"
import type { JsonObject } from "../../../v2-kit/body"
import { choicesOf } from "../../../v2-kit/lists"
import { instant, parse, rule, text, withoutAbsent } from "../../../v2-kit/validate"

/** A key as it may be shown at any time: never the key itself. */
export function presentKey({ merchant_id: _merchant, environment: _environment, ...key }: ApiKey) {
  return key
}

const keySchema = z.object({
  name: text(100),
  scopes: choicesOf(text(64), { min: 1, few: rule("some_scope") }).optional(),
  expires_at: instant.refine((at) => at.getTime() > Date.now(), rule("future")).optional(),
})

export function readKey(body: JsonObject): z.output<typeof keySchema> {
  return parse(keySchema, withoutAbsent(body, []))
}
