import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentPayout } from "../../present"

/** It was recorded wrongly, or the bank has returned it: the money is the merchant's again. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  payout: presentPayout(await gateway.payouts.reverse(tenant, params.id)),
}))
