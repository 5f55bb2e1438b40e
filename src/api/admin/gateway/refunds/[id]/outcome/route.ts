import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentRefund, readFinding } from "../../resource"

/** Somebody has looked at the acquirer's dashboard, which alone shows what became of this refund. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => ({
  refund: presentRefund(await gateway.refundOperator.decide(tenant, params.id, readFinding(body))),
}))
