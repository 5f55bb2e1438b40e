import { z } from "@medusajs/framework/zod"
import { LIMITS } from "../../../../../../../modules/gateway/kernel/limits"
import type { Cancellation } from "../../../../../../../modules/gateway/subscriptions/lifecycle"
import type { JsonObject } from "../../../../../../v2-kit/body"
import { flag, parse, text, withoutAbsent } from "../../../../../../v2-kit/validate"

export const cancelSchema = z.object({
  cancellation_reason: text(LIMITS.cancellationReasonMaxChars).optional(),
  cancellation_note: text(LIMITS.cancellationReasonMaxChars).optional(),
  cancel_at_period_end: flag.optional(),
})

/** `atPeriodEnd` is what holds when the body does not say it: false in `/api/v2` (contract 4.6). */
export function readCancellation(body: JsonObject, atPeriodEnd = false): Required<Cancellation> {
  const input = parse(cancelSchema, withoutAbsent(body, []))
  return {
    atPeriodEnd: input.cancel_at_period_end ?? atPeriodEnd,
    reason: input.cancellation_reason ?? null,
    note: input.cancellation_note ?? null,
  }
}
