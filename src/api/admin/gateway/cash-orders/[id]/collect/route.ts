import { followOrders } from "../../../../../../store/cash/follow-order"
import { settleSoon } from "../../../../../../store/cash/settle"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { readCollection } from "../../resource"
import { presentWhole } from "../../whole"

/** Cash came: `amount`, the courier's `charge`, `courier`, `note`, and a `request_key` that makes a repeat harmless. */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, params, body, request } = context
  const input = readCollection(body)
  await followOrders(request.scope, [await gateway.cashList.one(tenant, params.id)])
  const { order } = await gateway.cash.collect(params.id, input, tenant)
  await settleSoon(request.scope, order.id)
  return presentWhole(context, order.id)
})
