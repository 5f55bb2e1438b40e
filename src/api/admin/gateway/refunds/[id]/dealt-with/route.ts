import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentRefund, readDealtWith } from "../../resource"

/** A refund that failed needs no attention any more: another one was made, or the money went back in another way. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => ({
  refund: presentRefund(await gateway.refundOperator.dealWith(tenant, params.id, readDealtWith(body))),
}))
