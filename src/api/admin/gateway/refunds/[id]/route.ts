import { tenantEndpoint } from "../../../../desk/endpoint"
import { presentRefund } from "../present"

export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  refund: presentRefund(await gateway.refunds.retrieve(params.id, tenant)),
}))
