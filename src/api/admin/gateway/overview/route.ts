import { readCurrency, tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentOverview, readPeriod } from "./resource"

/** The figures of a period in one `currency` (absent: BDT), in days of the merchant's time zone and on its clock. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query }) => {
  const period = readPeriod(query, tenant)
  return { overview: presentOverview(period, await gateway.overview.read(tenant, period, readCurrency(query))) }
})
