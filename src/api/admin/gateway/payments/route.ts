import { DEFAULT_PAYMENT_SERVICES } from "../../../../modules/gateway/merchants/payment-services"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, presentList, readList, several } from "../../../admin-kit/list"
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
export const GET = tenantEndpoint(async ({ gateway, tenant, query: sent, request }) => {
  const filter = readList(query, sent)
  const page = await gateway.paymentList.list(tenant, filter, filter)
  const number = await orderNumbers(
    request.scope,
    page.rows.map(({ medusa_order_id }) => medusa_order_id)
  )
  return presentList("payments", page, filter, (row) => {
    return { ...presentPayment(row, tenant.now), medusa_order_number: number(row.medusa_order_id) }
  })
})
