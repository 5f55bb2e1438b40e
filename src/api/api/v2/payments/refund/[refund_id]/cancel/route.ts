import { operation } from "../../../../../../v2-kit/operation"
import { repeatable } from "../../../../../../v2-kit/idempotency"
import { IDENTITY, cancelledRefund } from "../../resource"
import { short } from "../../../../../../v2-kit/answers"

/** Only a pending refund can be cancelled (contract 3.4). */
export const POST = operation({
  id: "cancelRefund",
  tag: "Refunds",
  summary: "Cancel a pending refund",
  description: "One that waits for approval, or in a batch. Once it is processing it cannot be stopped.",
  scope: "refunds:write",
  service: "refunds",
  answer: short({
    message: "The refund is cancelled",
    data: cancelledRefund,
    description: "The refund is cancelled.",
    example: { refund_id: IDENTITY.refund_id, refund_status: "cancelled" as const },
  }),
  codes: ["REFUND_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  run: async (context) => {
    const { gateway, params } = context
    const refund = await gateway.refunds.cancel(repeatable(context), params.refund_id)
    return { refund_id: refund.id, refund_status: "cancelled" as const }
  },
})
