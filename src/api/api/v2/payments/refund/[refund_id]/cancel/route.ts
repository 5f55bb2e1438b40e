import { endpoint } from "../../../../../../v2-kit/endpoint"
import { bareEnvelope } from "../../../../../../v2-kit/envelopes"
import { repeatable } from "../../../../../../v2-kit/idempotency"

/** Only a pending refund can be cancelled (contract 3.4). */
export const POST = endpoint(async (context) => {
  const { gateway, params } = context
  const refund = await gateway.refunds.cancel(repeatable(context), params.refund_id)
  return bareEnvelope({ refund_id: refund.id, refund_status: refund.state }, "The refund is cancelled")
})
