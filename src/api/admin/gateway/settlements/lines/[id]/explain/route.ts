import { tenantEndpoint } from "../../../../../../admin-kit/endpoint"
import { presentLine, readNote } from "../../../resource"

/** Says what a difference or an unknown line is, in a `note`. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => ({
  line: presentLine(await gateway.settlementLines.explain(tenant, params.id, readNote(body))),
}))
