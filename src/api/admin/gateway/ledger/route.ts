import { presentBalances } from "../../../api/v2/payments/balance/resource"
import { tenantEndpoint } from "../../../admin-kit/endpoint"

/** A merchant's balance of each account: in BDT, and in each other currency in which money has moved. */
export const GET = tenantEndpoint(async ({ gateway, tenant }) => {
  const balances = await gateway.ledger.balancesByCurrency(tenant)
  return { balances: [...balances].map(([currency, accounts]) => presentBalances(currency, accounts)) }
})
