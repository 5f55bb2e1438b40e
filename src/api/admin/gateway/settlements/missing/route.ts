import { csvColumns } from "../../../../admin-kit/csv"
import { listSchema, readList } from "../../../../admin-kit/list"
import { listEndpoint } from "../../../../admin-kit/list-endpoint"
import { lateDays, month, presentMissing, source } from "../resource"

const DAY_MS = 86_400_000
const query = listSchema({ source, days: lateDays, month: month.optional() }, ["created_at"])

/**
 * Payments of a `source` that are in none of its files though they ended more than `days` (5) ago, the newest first. With a
 * `month`: those that had ended by its end, and are in no line that counts in it or before.
 */
export const GET = listEndpoint({
  name: "missing",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, { days, month: of, ...filter }, window) => {
    const until = of === undefined ? { before: new Date(tenant.now.getTime() - days * DAY_MS) } : { month: of }
    return gateway.missingSettlements.list(tenant, { ...filter, ...until }, window)
  },
  present: (payment, { tenant }) => presentMissing(payment, tenant.now),
  columns: csvColumns(
    "transaction_id",
    "order_id",
    "acquirer_reference",
    "payment_service",
    "amount",
    "currency",
    "finished_at",
    "days"
  ),
})
