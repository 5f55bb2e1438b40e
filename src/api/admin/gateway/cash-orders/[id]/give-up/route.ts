import { AREAS } from "../../../../../admin-kit/areas"
import { mayDo } from "../../../../../admin-kit/permissions"
import { settleSoon } from "../../../../../../store/cash/settle"
import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { readGivenUp } from "../../resource"
import { presentWhole } from "../../whole"

/**
 * Nothing more comes: the order was refused at the door, or delivered in part. `advance`: `keep` or
 * `give_back`; to give it back takes the right to refund, within the limit of the admin's roles.
 */
export const POST = tenantEndpoint(async (context) => {
  const { gateway, tenant, params, body, request, roles } = context
  const may_refund = await mayDo(request, { resource: AREAS.refunds, operation: "update" })
  const { id } = await gateway.cash.giveUp(tenant, params.id, readGivenUp(body), may_refund, roles)
  await settleSoon(request.scope, id)
  return presentWhole(context, id)
})
