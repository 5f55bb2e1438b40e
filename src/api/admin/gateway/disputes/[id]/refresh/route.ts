import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentWhole } from "../../resource"

/** Asks the acquirer that reports the dispute. */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, params } = context
  await gateway.disputes.refresh(tenant, params.id)
  return presentWhole(context, params.id)
})
