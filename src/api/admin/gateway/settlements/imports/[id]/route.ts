import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentImport } from "../../resource"

/** One import: how far it is, and what became of it. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params, language }) => ({
  import: presentImport(await gateway.settlementImports.retrieve(tenant, params.id), language),
}))
