import { settleSoon } from "../../../../../../store/cash/settle"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { readNote } from "../../resource"
import { presentWhole } from "../../whole"

/** Nothing more comes: the order was refused at the door, or delivered in part. */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, params, body, request } = context
  const { id } = await gateway.cash.giveUp(tenant, params.id, readNote(body))
  await settleSoon(request.scope, id)
  return presentWhole(context, id)
})
