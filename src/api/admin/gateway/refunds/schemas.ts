import { z } from "@medusajs/framework/zod"
import type { RefundRequest } from "../../../../modules/gateway/refunds/service"
import { readRefund } from "../../../api/v2/payments/refund/schemas"
import type { JsonObject } from "../../../v2-kit/body"
import { parse, text, withoutAbsent } from "../../../v2-kit/validate"

const NOTE_MAX_CHARS = 500

const keySchema = z.object({ request_key: text(64).optional() })
const reviewSchema = z.object({ note: text(NOTE_MAX_CHARS).optional() })

/**
 * The members of contract 4.8, and `request_key`, which the form makes so that a second click is not a second refund.
 */
export function readNewRefund(body: JsonObject): Omit<RefundRequest, "requested_by"> {
  const { request_key } = parse(keySchema, withoutAbsent(body, ["metadata"]))
  return { ...readRefund(body), request_key: request_key === undefined ? null : `admin:${request_key}` }
}

export function readNote(body: JsonObject): string | null {
  return parse(reviewSchema, withoutAbsent(body, [])).note ?? null
}
