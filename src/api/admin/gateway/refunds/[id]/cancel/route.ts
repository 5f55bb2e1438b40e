import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentRefund } from "../../resource"

/** Only a pending refund, as over `/api/v2`. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  refund: presentRefund(await gateway.refunds.cancel(tenant, params.id)),
}))
