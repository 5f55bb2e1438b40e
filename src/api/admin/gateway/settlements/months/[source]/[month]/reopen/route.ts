import { tenantEndpoint } from "../../../../../../../admin-kit/endpoint"
import { readNote } from "../../../../resource"
import { presentMonth } from "../../../resource"

/** Opens the last closed month of a source again, with a `note` that says why. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => {
  const { source, month } = params
  return { month: presentMonth(await gateway.settlementMonths.reopen(tenant, source, month, readNote(body))) }
})
