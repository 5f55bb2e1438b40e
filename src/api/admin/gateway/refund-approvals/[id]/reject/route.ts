import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentRefund, readNote } from "../../../refunds/resource"

/** An admin rejects: the refund is cancelled. `note` is stored with it. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => ({
  refund: presentRefund(await gateway.refunds.reject(tenant, params.id, readNote(body))),
}))
