import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentImport, readFetch } from "../../resource"

/**
 * Imports by the API of a `source` the payouts that arrived from the day `from` to the day `to`. The answer comes when all is
 * read; meanwhile the list of imports says how far it is.
 */
export const POST = tenantEndpoint(async ({ gateway, tenant, body, language }) => ({
  import: presentImport(await gateway.settlementFetches.fetch(tenant, readFetch(body)), language),
}))
