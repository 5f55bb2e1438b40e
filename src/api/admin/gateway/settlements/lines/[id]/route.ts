import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentLine } from "../../resource"

/** One line: what it says, which money it is, and in what the two differ. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  line: presentLine(await gateway.settlementLines.retrieve(tenant, params.id)),
}))
