import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentEmiImport, readImport } from "../resource"

/** Imports a bank's table as CSV: all of its lines or none; with `dry_run` only reports what would be done. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body, actor }) => {
  const input = readImport(body)
  return presentEmiImport(await gateway.emiImports.run(tenant, input, { actor }), input.dry_run)
})
