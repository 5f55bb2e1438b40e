import { tenantEndpoint } from "../../../../../../admin-kit/endpoint"
import { presentLine, readMatch } from "../../../resource"

/** Says which money an unknown line is: the `number` of a payment, refund or dispute; `note` says why. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => ({
  line: presentLine(await gateway.settlementLines.match(tenant, params.id, readMatch(body))),
}))
