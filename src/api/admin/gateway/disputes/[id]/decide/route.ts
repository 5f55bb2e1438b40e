import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentWhole, readFinding } from "../../resource"

/** What the bank has answered, of a dispute that no acquirer reports: `on`, `fee_returned`, `due_by`. */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, params, body } = context
  await gateway.disputes.decide(tenant, params.id, readFinding(body))
  return presentWhole(context, params.id)
})
