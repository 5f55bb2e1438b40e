import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { CART_COMPLETION_STATES } from "../../../../modules/gateway/checkout/cart-completion-states"
import { listSchema, one, readList } from "../../../admin-kit/list"
import { orderNumbers, paymentSummaries } from "../../../admin-kit/present"
import { presentPaidCart } from "./resource"

const OPEN = ["waiting", "giving_back", "needs_attention"] as const
const query = listSchema({ state: one(["open", ...CART_COMPLETION_STATES]).optional() }, ["created_at"])

/** Paid carts and their outcomes; `state` is one of the states, or `open` for the unfinished ones. */
export const GET = listEndpoint({
  name: "paid_carts",
  read: (sent) => readList(query, sent),
  page: ({ gateway, tenant }, { state, ...filter }, window) => {
    const states = state === undefined ? undefined : state === "open" ? OPEN : [state]
    return gateway.cartCompletions.list(tenant, { ...filter, states }, window)
  },
  extra: async ({ request, gateway }, rows) => ({
    number: await orderNumbers(
      request.scope,
      rows.map(({ order_id }) => order_id)
    ),
    payment: await paymentSummaries(gateway, rows),
  }),
  present: (row, _context, { number, payment }) => ({
    ...presentPaidCart(row),
    medusa_order_number: number(row.order_id),
    payment: payment(row.transaction_id),
  }),
  columns: csvColumns(
    "id",
    "transaction_id",
    "cart_id",
    "order_id",
    "medusa_order_number",
    "refund_id",
    ["amount", "payment.paid_amount"],
    ["currency", "payment.currency"],
    ["customer_name", "payment.customer.name"],
    ["customer_email", "payment.customer.email"],
    ["customer_phone", "payment.customer.phone"],
    ["status", "state"],
    "attempts",
    ["last_error", "last_error.message"],
    "created_at"
  ),
})
