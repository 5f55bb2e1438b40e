import { clockNow } from "../../../../../../../modules/gateway/kernel/money/clock"
import { publicStatus } from "../../../../../../../modules/gateway/payments/states"
import { operation } from "../../../../../../v2-kit/operation"
import { requireOwnSession } from "../../../../../../v2-kit/authenticate"
import { endedSession } from "../../resource"
import { enveloped } from "../../../../../../v2-kit/answers"

/** Ends an unpaid session early, because its order took another course (docs/decisions/01). */
export const POST = operation({
  id: "expireCheckout",
  tag: "Checkout",
  summary: "End an unpaid session early",
  description: "For an order that is settled in another way. A session that is paid, or being paid, is refused.",
  scope: "checkout:write",
  answer: enveloped({
    message: ({ status }) => `The payment is ${status}`,
    data: endedSession,
    description: "The session can no longer be paid.",
    example: {
      transaction_id: "txn0123456789abcdef0123456789abcdef",
      order_id: "order-1001",
      session_id: "ses_Q2hlY2tvdXRTZXNzaW9uRXhhbXBsZTAx",
      status: "EXPIRED",
    },
  }),
  codes: ["SESSION_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  run: async ({ gateway, caller, params }) => {
    const session_id = await requireOwnSession(gateway, caller, params.session_id)
    const { transaction_id, order_id, state, expires_at, clock_offset_seconds } =
      await gateway.payments.expireNow(session_id)
    const status = publicStatus(state, expires_at, clockNow(new Date(), clock_offset_seconds))
    return { transaction_id, order_id, session_id, status }
  },
})
