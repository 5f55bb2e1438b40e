import { tenantEndpoint } from "../../../../../../admin-kit/endpoint"
import { presentImport } from "../../../resource"

/** Stops an import that is being read; what was written stays. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, language }) => ({
  import: presentImport(await gateway.settlementImports.stop(tenant, params.id), language),
}))
