import { readCurrency, tenantEndpoint } from "../../../../admin-kit/endpoint"
import { presentSummary, readPeriod } from "../resource"

/** What is due in cash and late now; and `from`, `to`: what came, and how many orders were refused, by district. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query }) => {
  const currency = readCurrency(query)
  return { cash: presentSummary(await gateway.cashList.summary(tenant, currency, readPeriod(query)), currency) }
})
