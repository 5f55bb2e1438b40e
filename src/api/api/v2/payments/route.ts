import { operation } from "../../../v2-kit/operation"
import { filterSchema, payment, presentPayment, readPaymentList } from "./resource"
import { listed } from "../../../v2-kit/answers"

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

/** A merchant's payments, newest first, those that nobody has paid yet included (docs/decisions/28). */
export const GET = operation({
  id: "listPayments",
  tag: "Payments",
  summary: "List payments",
  description: "Newest first, with those that nobody has paid yet. Whether an order is paid, ask verification.",
  scope: "payments:read",
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
  answer: listed({ message: "Payments", item: payment, description: "A page of payments.", example: EXAMPLE }),
  run: async ({ gateway, caller, query }) => {
    const { filter, page } = readPaymentList(query)
    const window = { limit: page.per_page, offset: page.offset }
    const { rows, count } = await gateway.paymentList.list(caller, filter, window)
    return { rows: rows.map((row) => presentPayment(row, caller.now)), total: count, page }
  },
})
