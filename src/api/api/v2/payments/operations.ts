import { listOf } from "../../../v2-kit/openapi/fields"
import type { Documented } from "../../../v2-kit/openapi/operation"
import { payment } from "./answers"
import { filterSchema } from "./schemas"

const EXAMPLE = {
  transaction_id: "txn0123456789abcdef0123456789abcdef",
  order_id: "order-1001",
  order_number: "order-1001",
  status: "SUCCESS",
  amount: "1250.50",
  charge_amount: "31.26",
  refunded_amount: "0.00",
  currency: "BDT",
  payment_method: "CARD",
  error_code: null,
  customer: { name: "Rahima Khatun", email: "rahima@example.com" },
  created_at: "2027-03-01T10:00:00.000Z",
  finished_at: "2027-03-01T10:03:20.000Z",
}

export const operations: readonly Documented[] = [
  {
    method: "GET",
    path: "/payments",
    id: "listPayments",
    tag: "Payments",
    summary: "List payments",
    description: "Newest first, with those that nobody has paid yet. Whether an order is paid, ask verification.",
    query: {
      schema: filterSchema,
      notes: {
        status: "Only payments of this status.",
        q: "Only payments that this finds: an id, how an order_id begins, a name, an e-mail address, a phone number or an amount.",
        from: "Only payments from this moment on.",
        to: "Only payments before this moment.",
      },
      paging: "per_page",
    },
    answer: {
      description: "A page of payments.",
      schema: () => listOf(payment()),
      example: { success: true, message: "Payments", data: [EXAMPLE], meta: { total: 1, page: 1, per_page: 20 } },
    },
  },
]
