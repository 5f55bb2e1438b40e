import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { readSource } from "../resource"
import { presentMonth } from "./resource"

/** The months of a `source`, the newest first: what it held, what it settled, and what of that came to the bank. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query }) => ({
  months: (await gateway.settlementMonths.list(tenant, readSource(query))).map((one) => presentMonth(one)),
}))
