import { tenantEndpoint } from "../../../../../../admin-kit/endpoint"
import { presentLine, readNote } from "../../../resource"

/** Takes a line out of the ledger again, with a `note` that says why. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => ({
  line: presentLine(await gateway.settlementLines.undo(tenant, params.id, readNote(body))),
}))
