import { settleSoon } from "../../../../../../store/cash/settle"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { readGivenUp } from "../../resource"
import { presentWhole } from "../../whole"

/** Nothing more comes: the order was refused at the door, or delivered in part. `advance`: `keep` or `give_back`. */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, params, body, request } = context
  const { id } = await gateway.cash.giveUp(tenant, params.id, readGivenUp(body))
  await settleSoon(request.scope, id)
  return presentWhole(context, id)
})
