import { tenantEndpoint } from "../../../../../../admin-kit/endpoint"
import { readFinding, readKey } from "../../../../refunds/resource"

/** Somebody has looked at the acquirer's dashboard, which alone shows what became of a capture or of a release. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => {
  await gateway.captureOperator.decide(tenant, params.id, readFinding(body), readKey(body))
  return { payment: { id: params.id } }
})
