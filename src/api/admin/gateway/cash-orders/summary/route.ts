import { readCurrency, tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentSummary } from "../resource"

/** What is due in cash, late and collected, and how many orders are refused by district. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query }) => {
  const currency = readCurrency(query)
  return { cash: presentSummary(await gateway.cashList.summary(tenant, currency), currency) }
})
