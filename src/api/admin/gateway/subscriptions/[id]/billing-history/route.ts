import { csvColumns } from "../../../../../admin-kit/csv"
import { listEndpoint } from "../../../../../admin-kit/list-endpoint"
import { presentRecord, readWindow } from "../../resource"

/** Every period that was tried or paid, the latest first. */
export const GET = listEndpoint({
  name: "billing_records",
  read: readWindow,
  page: async ({ gateway, tenant, params }, _filter, { limit, offset }) => {
    const page = { per_page: limit, offset }
    const { records: rows, total } = await gateway.subscriptionTimelines.billingHistory(tenant, params.id, page)
    return { rows, count: total, count_is_exact: true }
  },
  present: presentRecord,
  columns: csvColumns(
    "id",
    "number",
    "period",
    "status",
    "amount",
    "currency",
    "billing_date",
    "period_start",
    "period_end",
    "attempts",
    "transaction_id",
    "error_code",
    "created_at"
  ),
})
