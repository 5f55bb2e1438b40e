import { tenantEndpoint } from "../../../../../../admin-kit/endpoint"

/** Looks again at the unknown lines of a file, without those that somebody has undone; `matched`: how many are known now. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  matched: await gateway.settlementImports.rematch(tenant, params.id),
}))
