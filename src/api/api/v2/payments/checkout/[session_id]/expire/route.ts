import { clockNow } from "../../../../../../../modules/gateway/kernel/clock"
import { publicStatus } from "../../../../../../../modules/gateway/payments/states"
import { endpoint } from "../../../../../../v2-kit/endpoint"
import { envelope } from "../../../../../../v2-kit/envelopes"
import { requireOwnSession } from "../../../../../../v2-kit/authenticate"

/** Ends an unpaid session early, because its order took another course (docs/decisions/0003). */
export const POST = endpoint(async ({ gateway, caller, params }) => {
  const session_id = await requireOwnSession(gateway, caller, params.session_id)
  const { transaction_id, order_id, state, expires_at, clock_offset_seconds } =
    await gateway.payments.expireNow(session_id)
  const status = publicStatus(state, expires_at, clockNow(new Date(), clock_offset_seconds))
  return envelope(`The payment is ${status}`, { transaction_id, order_id, session_id, status })
})
