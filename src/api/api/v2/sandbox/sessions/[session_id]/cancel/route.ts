import { operation } from "../../../../../../v2-kit/operation"
import { exampleOutcome, paymentOutcome, presentOutcome } from "../../../resource"
import { requireOwnSession } from "../../../../../../v2-kit/authenticate"
import { enveloped } from "../../../../../../v2-kit/answers"

/** Does what the hosted page's cancel button does (decisions: Sandbox). */
export const POST = operation({
  id: "cancelSession",
  tag: "Sandbox",
  summary: "Cancel a session as a customer would",
  description: "After a decline it ends as `FAILED` with the code of that decline.",
  scope: "checkout:write",
  sandboxOnly: true,
  answer: enveloped({
    message: ({ status }) => `The payment is ${status}`,
    data: paymentOutcome,
    description: "How the payment ended.",
    example: exampleOutcome("CANCELLED", "cancelled"),
  }),
  codes: ["SESSION_NOT_FOUND", "PAYMENT_TIMEOUT", "INVALID_STATE_TRANSITION"],
  run: async ({ store, gateway, caller, params, publicUrl }) => {
    const session_id = await requireOwnSession(gateway, caller, params.session_id)
    return presentOutcome(await store.cancel({ session_id, public_url: publicUrl }))
  },
})
