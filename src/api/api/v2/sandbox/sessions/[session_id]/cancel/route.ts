import { endpoint } from "../../../../../../v2-kit/endpoint"
import { presentOutcome } from "../present"
import { requireOwnSession } from "../../../../../../v2-kit/authenticate"

/** Does what the hosted page's cancel button does (decisions: Sandbox). */
export const POST = endpoint(async ({ store, gateway, caller, params, publicUrl }) => {
  const session_id = await requireOwnSession(gateway, caller, params.session_id)
  return presentOutcome(await store.cancel({ session_id, public_url: publicUrl }))
})
