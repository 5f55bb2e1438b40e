import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentWhole } from "../../resource"

/** Gives the dispute up: it is lost. */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, params } = context
  await gateway.disputes.accept(tenant, params.id)
  return presentWhole(context, params.id)
})
