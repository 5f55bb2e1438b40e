import { afterDecision } from "../../../../../../store/checkout"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { readFinding, readKey } from "../../../refunds/resource"

/** Somebody has looked at the acquirer's dashboard, which alone shows what became of this payment. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body, request }) => {
  const record = await gateway.paymentOperator.decide(tenant, params.id, readFinding(body), readKey(body))
  return { payment: await afterDecision(request.scope, record) }
})
