import { CASH_FILTERS } from "../../../../modules/gateway/cash/rules"
import { csvColumns } from "../../../admin-kit/csv"
import { listSchema, one, readList } from "../../../admin-kit/list"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { text } from "../../../v2-kit/validate"
import { presentCashOrder } from "./resource"

const query = listSchema({ status: one(CASH_FILTERS).optional(), district: text(100).optional() }, ["placed_at"])

/** Cash orders, the last placed first; `q` is an order's number or id, a phone, or the id of one. */
export const GET = listEndpoint({
  name: "cash_orders",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, filter, window) => gateway.cashList.list(tenant, filter, window),
  extra: ({ gateway, tenant }) => gateway.cashList.lateBefore(tenant),
  present: (order, _context, late) => presentCashOrder(order, late),
  columns: csvColumns(
    "order_number",
    "status",
    ["cash_total", "total"],
    "advance",
    ["cash_collected", "collected"],
    ["cash_due", "due"],
    ["cash_returned", "returned"],
    "currency",
    "customer_name",
    "phone",
    "district",
    "placed_at",
    "closed_at",
    "order_id",
    "id"
  ),
})
