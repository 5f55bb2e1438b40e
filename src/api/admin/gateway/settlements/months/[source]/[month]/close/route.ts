import { tenantEndpoint } from "../../../../../../../admin-kit/endpoint"
import { presentNamedMonth, readOptionalNote } from "../../../resource"

/** Closes a month that is over and explained: its figures stay, and what counts in it is locked. A `note` may say more. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body, request }) => {
  const { source, month } = params
  const note = readOptionalNote(body)
  return presentNamedMonth(request.scope, await gateway.settlementMonths.close(tenant, source, month, note))
})
