import { tenantEndpoint } from "../../../../../../../admin-kit/endpoint"
import { readNote } from "../../../../resource"
import { presentNamedMonth } from "../../../resource"

/** Opens the last closed month of a source again, with a `note` that says why. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body, request }) => {
  const { source, month } = params
  const found = await gateway.settlementMonths.reopen(tenant, source, month, readNote(body))
  return presentNamedMonth(request.scope, found)
})
