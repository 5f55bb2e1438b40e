import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { namesOf } from "../../../../../admin-kit/present"
import { presentWholeLine } from "../../resource"

/** One line, and the money of ours that it is. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params, request }) => {
  const line = await gateway.settlementLines.retrieve(tenant, params.id)
  const ours = await gateway.settlementLines.money(tenant, line)
  const names = await namesOf(request.scope, [line.decided_by ?? ""])
  return { line: presentWholeLine(line, ours, names) }
})
