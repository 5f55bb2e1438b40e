import { presentBalances } from "../../../api/v2/payments/balance/present"
import { tenantEndpoint } from "../../../admin-kit/endpoint"

/** A merchant's balance of each account. */
export const GET = tenantEndpoint(async ({ gateway, tenant }) => ({
  balance: presentBalances(await gateway.ledger.balances(tenant)),
}))
