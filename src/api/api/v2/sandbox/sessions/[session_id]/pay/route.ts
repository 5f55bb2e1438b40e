import { endpoint } from "../../../../../../v2-kit/endpoint"
import { presentOutcome } from "../present"
import { requireOwnSession } from "../../../../../../v2-kit/authenticate"
import { readPayment } from "../schemas"

/** Does what the hosted page's form does, through the same code (decisions: Sandbox). */
export const POST = endpoint(async ({ store, gateway, caller, body, params, publicUrl }) => {
  const { instrument, final } = readPayment(body)
  const session_id = await requireOwnSession(gateway, caller, params.session_id)
  const outcome = await store.pay({ session_id, instrument, final, public_url: publicUrl })
  return presentOutcome(outcome)
})
