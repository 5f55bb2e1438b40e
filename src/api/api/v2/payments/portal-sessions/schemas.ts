import { z } from "@medusajs/framework/zod"
import { refusalOfUrl } from "../../../../../modules/gateway/kernel/callback-url"
import { fault, fieldError } from "../../../../../modules/gateway/kernel/errors"
import { publicId } from "../../../../../modules/gateway/kernel/ids"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import type { JsonObject } from "../../../../v2-kit/body"
import { anyText, parse, required, rule, withoutAbsent } from "../../../../v2-kit/validate"

/** As paths name a customer: by the integer id or by the uuid. */
const customerId = z
  .union([z.number(), z.string()], required(rule("id")))
  .transform(String)
  .refine((value) => publicId(value) !== null, rule("id"))

export const sessionSchema = z.object({ customer_id: customerId, return_url: anyText.optional() })

/** A refused URL is 400 INVALID_CALLBACK_URL, as at POST /payments/checkout. */
export function readPortalSession(
  body: JsonObject,
  allowPrivate: boolean
): { customer_id: string; return_url: string | null } {
  const { customer_id, return_url = null } = parse(sessionSchema, withoutAbsent(body, []))
  const rules = { allowPrivate, maxChars: LIMITS.callbackUrlMaxChars }
  const refusal = return_url === null ? null : refusalOfUrl(return_url, rules)
  if (refusal !== null) {
    throw fieldError([fault("return_url", refusal, "INVALID_CALLBACK_URL")])
  }
  return { customer_id, return_url }
}
