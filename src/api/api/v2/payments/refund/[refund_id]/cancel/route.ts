import { endpoint } from "../../../../../../v2-kit/endpoint"
import { bareEnvelope } from "../../../../../../v2-kit/envelopes"

/** Only a pending refund can be cancelled (contract 3.4). */
export const POST = endpoint(async ({ gateway, caller, params }) => {
  const refund = await gateway.refunds.cancel(caller, params.refund_id)
  return bareEnvelope({ refund_id: refund.id, refund_status: refund.state }, "The refund is cancelled")
})
