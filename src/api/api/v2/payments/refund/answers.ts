import { z } from "@medusajs/framework/zod"
import { REFUND_STATES } from "../../../../../modules/gateway/refunds/states"
import { moment, money, oneOf, transactionId, words } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"

const identity = () => ({
  refund_id: words("The refund."),
  transaction_id: transactionId("The payment that is refunded."),
  refund_amount: money("The amount of this refund."),
})
const state = () => oneOf(REFUND_STATES, "Its state. Only `pending` refunds can be cancelled.")

export const createdRefund = named("CreatedRefund", () =>
  z.object({
    ...identity(),
    refund_status: oneOf(["processing", "pending"], "`pending`: an admin has to approve it first."),
    estimated_completion: moment("When the customer has the money at the latest, as a rule: 7 business days from now."),
    created_at: moment("When it was accepted."),
  })
)

export const refund = named("Refund", () =>
  z.object({
    ...identity(),
    refund_status: state(),
    completed_at: moment("When it was completed; null until then.").nullable(),
    created_at: moment("When it was accepted."),
    error_code: words("Why it failed. Only when it failed.").optional(),
    error_message: words("The same in a sentence. Only when it failed.").optional(),
  })
)

export const refundLine = named("RefundSummary", () =>
  z
    .object({ ...identity(), refund_status: state(), created_at: moment("When it was accepted.") })
    .describe("A refund as lists show it.")
)

export const cancelledRefund = named("CancelledRefund", () =>
  z.object({ refund_id: words("The refund."), refund_status: z.literal("cancelled").describe("Its state.") })
)
