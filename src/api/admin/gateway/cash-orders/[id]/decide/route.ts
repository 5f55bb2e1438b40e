import { settleSoon } from "../../../../../../store/cash/settle"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { readDecision } from "../../resource"
import { presentWhole } from "../../whole"

/** Of an order that Medusa does not show: `retry` now, or `leave` it, as written in Medusa by hand. */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, params, body, request } = context
  const { decision, note } = readDecision(body)
  const { id } = await gateway.cashList.one(tenant, params.id)
  if (decision === "leave") {
    await gateway.cash.leave(tenant, id, note)
  } else {
    await settleSoon(request.scope, id)
  }
  return presentWhole(context, id)
})
