import { z } from "@medusajs/framework/zod"
import type { AccountChange } from "../../../../modules/gateway/payments/acquirer-accounts"
import type { JsonObject } from "../../../v2-kit/body"
import { listOf } from "../../../v2-kit/lists"
import { anyText, flag, parse, rule } from "../../../v2-kit/validate"

const SERVICES_MAX = 50
const POSITION = { min: 1, max: 99 }
const WRONG_POSITION = rule("whole_number_within", POSITION)

const changeSchema = z.object({
  /** The service knows each acquirer's fields. */
  credentials: z.unknown(),
  /** Payment service codes; empty: all that the acquirer serves. */
  services: listOf(anyText, { max: SERVICES_MAX }).optional(),
  is_active: flag.optional(),
  /** Null: after all others. */
  position: z
    .int(WRONG_POSITION)
    .min(POSITION.min, WRONG_POSITION)
    .max(POSITION.max, WRONG_POSITION)
    .nullable()
    .optional(),
})

export function readAccountChange(body: JsonObject): AccountChange {
  return parse(changeSchema, body)
}
