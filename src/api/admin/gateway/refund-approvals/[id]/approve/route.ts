import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentRefund, readNote } from "../../../refunds/resource"

/** An admin approves: the money goes back now. `note` is stored with the refund. */
export const POST = tenantEndpoint(async ({ gateway, tenant, roles, params, body }) => ({
  refund: presentRefund(await gateway.refunds.approve(tenant, params.id, readNote(body), roles)),
}))
