import { afterDecision } from "../../../../../../store/checkout"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { readNote } from "../../../refunds/resource"

/** An admin gives the money of a held payment back: it has failed, and the money goes back automatically. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body, request }) => {
  const note = readNote(body)
  const record = await gateway.heldPayments.giveBack({ ...tenant, note }, params.id)
  return { payment: await afterDecision(request.scope, record) }
})
