import { DEFAULT_PAYMENT_SERVICES } from "../../../../modules/gateway/domain/payment-services"
import { tenantEndpoint } from "../../../desk/endpoint"
import { listSchema, presentList, readList, several } from "../../../desk/list"
import { presentPayment } from "./present"

const STATUSES = ["SUCCESS", "PENDING", "FAILED", "CANCELLED", "EXPIRED", "REFUNDED"] as const
const query = listSchema(
  {
    status: several(STATUSES).optional(),
    service: several(DEFAULT_PAYMENT_SERVICES.map(({ code }) => code)).optional(),
  },
  ["created_at", "amount"]
)

/** Payments, newest first; `q` begins an order_id or an e-mail address, or is an id. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query: sent }) => {
  const filter = readList(query, sent)
  const page = await gateway.paymentList.list(tenant, filter, filter)
  return presentList("payments", page, filter, (row) => presentPayment(row, tenant.now))
})
