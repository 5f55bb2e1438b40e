import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentWhole } from "../../present"

/** Submits the evidence; of a dispute that no acquirer reports, this says that it was sent. */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, params } = context
  await gateway.disputeEvidence.submit(tenant, params.id)
  return presentWhole(context, params.id)
})
