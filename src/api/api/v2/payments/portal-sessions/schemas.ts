import { z } from "@medusajs/framework/zod"
import { publicId } from "../../../../../modules/gateway/kernel/ids"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import type { JsonObject } from "../../../../v2-kit/body"
import { parseWithUrls } from "../../../../v2-kit/refusals"
import { anyText, required, rule, withoutAbsent } from "../../../../v2-kit/validate"

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
  const urls = { return_url: LIMITS.callbackUrlMaxChars }
  const { customer_id, return_url = null } = parseWithUrls(sessionSchema, withoutAbsent(body, []), urls, allowPrivate)
  return { customer_id, return_url }
}
