import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentWhole, readEvidence } from "../../resource"

/**
 * Submits the evidence, with `evidence_text` as its text if there is one in the body; of a dispute that no acquirer
 * reports, this says that it was sent.
 */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, params, body } = context
  if (Object.hasOwn(body, "evidence_text")) {
    await gateway.disputeEvidence.write(tenant, params.id, readEvidence(body))
  }
  await gateway.disputeEvidence.submit(tenant, params.id)
  return presentWhole(context, params.id)
})
