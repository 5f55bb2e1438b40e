import { settleSoon } from "../../../../../../store/cash/settle"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { readCollection } from "../../resource"
import { presentWhole } from "../../whole"

/** Cash came: `amount`, the courier's `charge`, `courier`, `note`, and a `request_key` that makes a repeat harmless. */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, params, body, request } = context
  const { order } = await gateway.cash.collect(params.id, readCollection(body), tenant)
  await settleSoon(request.scope, order.id)
  return presentWhole(context, order.id)
})
