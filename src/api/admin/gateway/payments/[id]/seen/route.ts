import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { readNote } from "../../../refunds/resource"

/** An admin has seen what is flagged about a payment that succeeded: it needs no attention any more. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => {
  await gateway.heldPayments.seen({ ...tenant, note: readNote(body) }, params.id)
  return { payment: { id: params.id } }
})
