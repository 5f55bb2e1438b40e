import { presentBalances } from "../../../api/v2/payments/balance/present"
import { tenantEndpoint } from "../../../admin-kit/endpoint"

/** What a merchant has, account by account. */
export const GET = tenantEndpoint(async ({ gateway, tenant }) => ({
  balance: presentBalances(await gateway.ledger.balances(tenant)),
}))
