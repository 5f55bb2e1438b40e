import { tenantEndpoint } from "../../../../../admin-kit/endpoint"
import { presentList } from "../../../../../admin-kit/list"
import { presentRecord } from "../../present"
import { readWindow } from "../../schemas"

/** Every period that was tried or paid, the latest first. */
export const GET = tenantEndpoint(async ({ gateway, tenant, params, query }) => {
  const { limit, offset } = readWindow(query)
  const { records, total } = await gateway.subscriptions.billingHistory(tenant, params.id, { per_page: limit, offset })
  const page = { rows: records, count: total, count_is_exact: true }
  return presentList("billing_records", page, { limit, offset }, presentRecord)
})
