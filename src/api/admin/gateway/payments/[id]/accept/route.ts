import { afterDecision } from "../../../../../../store/checkout"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { readNote } from "../../../refunds/resource"

/** An admin accepts a held payment: it has succeeded, and a cart has its order when this answers. `note` is stored. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body, request }) => {
  const note = readNote(body)
  const record = await gateway.heldPayments.accept({ ...tenant, note }, params.id)
  return { payment: await afterDecision(request.scope, record) }
})
