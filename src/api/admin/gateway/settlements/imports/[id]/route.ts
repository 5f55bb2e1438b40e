import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { namesOf } from "../../../../../admin-kit/present"
import { presentImport } from "../../resource"

/** One import: how far it is, and what became of it. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params, language, request }) => {
  const row = await gateway.settlementImports.retrieve(tenant, params.id)
  const names = await namesOf(request.scope, [row.created_by, row.undone_by ?? ""])
  return { import: presentImport(row, language, names) }
})
