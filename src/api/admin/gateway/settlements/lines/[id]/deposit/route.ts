import { tenantEndpoint } from "../../../../../../admin-kit/endpoint"
import { readDeposit } from "../../../batches/resource"
import { presentLine } from "../../../resource"

/** Says what a bank's line brings: `allocations` of settlements, less the `bank_charge`; `note` says why. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params, body }) => ({
  line: presentLine(await gateway.settlementDeposits.match(tenant, params.id, readDeposit(body))),
}))
