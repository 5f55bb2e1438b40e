import { tenantEndpoint } from "../../../../../../admin-kit/endpoint"
import { presentImport, readNote } from "../../../resource"

/** Takes a file out again, with a `note` that says why. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body, language }) => ({
  import: presentImport(await gateway.settlementImports.undo(tenant, params.id, readNote(body)), language),
}))
