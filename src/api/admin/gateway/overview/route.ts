import { readCurrency, tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentOverview, readPeriod } from "./resource"

/** The figures of a period in one `currency` (absent: BDT), in days of Bangladesh time on the merchant's clock. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query }) => {
  const period = readPeriod(query, tenant.now)
  return { overview: presentOverview(period, await gateway.overview.read(tenant, period, readCurrency(query))) }
})
