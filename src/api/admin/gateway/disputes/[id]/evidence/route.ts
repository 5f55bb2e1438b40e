import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentWhole, readEvidence } from "../../resource"

/** Replaces the text of the evidence. */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, params, body } = context
  await gateway.disputeEvidence.write(tenant, params.id, readEvidence(body))
  return presentWhole(context, params.id)
})
