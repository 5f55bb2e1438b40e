import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentPayout } from "../../resource"

/** Reverses a payout that was recorded wrongly or that the bank returned: the money is the merchant's again. */
export const POST = tenantEndpoint(async ({ gateway, tenant, params }) => ({
  payout: presentPayout(await gateway.payouts.reverse(tenant, params.id)),
}))
