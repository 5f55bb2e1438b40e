import { z } from "@medusajs/framework/zod"
import { REFUND_STATES } from "../../../../../modules/gateway/refunds/states"
import { moment, oneOf, pagination, whole, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
import { refundLine } from "../refund/answers"

export const refundPage = named("RefundPage", () =>
  z.object({ refunds: z.array(refundLine()).describe("The refunds of this page."), pagination: pagination() })
)

const item = named("RefundBatchItem", () =>
  z.object({
    transaction_id: words("The payment, as it was sent."),
    refund_id: z.string().nullable().describe("The refund; null when it was refused."),
    status: oneOf(REFUND_STATES, "Its state."),
    error: z
      .object({
        code: words("The code that a single refund would have been refused with, or why the acquirer refused."),
        message: words("The same in a sentence."),
      })
      .optional()
      .describe("Only when it failed."),
  })
)

const progress = () =>
  z
    .object(Object.fromEntries(REFUND_STATES.map((state) => [state, whole(`How many are ${state}.`)])))
    .describe("How many items have which state.")

export const refundBatch = named("RefundBatch", () =>
  z.object({
    batch_id: words("The batch."),
    total_refunds: whole("How many items it has."),
    successful: whole("How many are neither refused, failed nor cancelled."),
    failed: whole("How many were refused or have failed."),
    refunds: z.array(item()).describe("The items in your order."),
    progress: progress(),
    created_at: moment("When it was accepted."),
  })
)
