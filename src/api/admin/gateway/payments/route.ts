import { csvColumns } from "../../../admin-kit/csv-columns"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { DEFAULT_PAYMENT_SERVICES } from "../../../../modules/gateway/merchants/payment-services"
import { listSchema, readList, several } from "../../../admin-kit/list"
import { orderNumbers } from "../../../admin-kit/names"
import { presentPayment } from "./present"

const STATUSES = ["SUCCESS", "PENDING", "FAILED", "CANCELLED", "EXPIRED", "REFUNDED"] as const
const query = listSchema(
  {
    status: several(STATUSES).optional(),
    paid_twice: several(["open"]).optional(),
    attention: several(["held", "flagged", "instalments", "unresolved"]).optional(),
    service: several(DEFAULT_PAYMENT_SERVICES.map(({ code }) => code)).optional(),
  },
  ["created_at", "amount"]
)

/** Payments, newest first; `q` is an id, or the beginning of an order_id or an e-mail address. */
export const GET = listEndpoint({
  name: "payments",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, filter, window) => gateway.paymentList.list(tenant, filter, window),
  extra: ({ request }, rows) =>
    orderNumbers(
      request.scope,
      rows.map(({ medusa_order_id }) => medusa_order_id)
    ),
  present: (row, { tenant }, number) => ({
    ...presentPayment(row, tenant.now),
    medusa_order_number: number(row.medusa_order_id),
  }),
  columns: csvColumns(
    "id",
    "order_id",
    "medusa_order_number",
    "status",
    "amount",
    "charge_amount",
    "refunded_amount",
    "currency",
    "payment_method",
    "payment_service",
    "error_code",
    "source",
    ["customer_name", "customer.name"],
    ["customer_email", "customer.email"],
    "created_at",
    "finished_at"
  ),
})
