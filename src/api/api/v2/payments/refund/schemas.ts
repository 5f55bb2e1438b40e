import { z } from "@medusajs/framework/zod"
import { validationError } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { REFUND_TYPES } from "../../../../../modules/gateway/refunds/rules"
import type { BatchItem } from "../../../../../modules/gateway/refunds/batches"
import type { JsonObject } from "../../../../v2-kit/body"
import {
  amountOfAnySize,
  check,
  flag,
  freeForm,
  required,
  text,
  withoutAbsent,
  rule,
} from "../../../../v2-kit/validate"

/** The body of one refund (contract 4.8); an item of a batch has the same members. */
export const refundSchema = z
  .object(
    {
      transaction_id: text(64),
      refund_amount: amountOfAnySize.refine((minor) => minor > 0n, rule("more_than", { min: "0.00" })).optional(),
      refund_reason: text(LIMITS.refundReasonMaxChars),
      refund_type: z.enum(REFUND_TYPES, rule("either", { values: "full", last: "partial" })).optional(),
      notify_customer: flag.optional(),
      metadata: freeForm(LIMITS.metadataMaxBytes).optional(),
    },
    required(rule("object"))
  )
  .refine(({ refund_type, refund_amount }) => refund_type !== "partial" || refund_amount !== undefined, {
    path: ["refund_amount"],
    error: rule("required"),
    // Report this with the other failures, not in a second answer.
    when: ({ value }) => typeof value === "object" && value !== null,
  })

export function readRefund(body: JsonObject): BatchItem {
  const checked = check(refundSchema, withoutAbsent(body, ["metadata"]))
  if (checked.value === null) {
    throw validationError(checked.failures)
  }
  return toItem(checked.value)
}

export function toItem(input: z.output<typeof refundSchema>): BatchItem {
  return {
    transaction_id: input.transaction_id,
    amount: input.refund_amount,
    type: input.refund_type,
    reason: input.refund_reason,
    notify_customer: input.notify_customer,
    metadata: input.metadata,
  }
}
