import { CART_COMPLETION_STATES } from "../../../../modules/gateway/checkout/cart-completion-states"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { listSchema, one, presentList, readList } from "../../../admin-kit/list"
import { orderNumbers } from "../../../admin-kit/names"
import { presentPaidCart } from "./present"

const OPEN = ["waiting", "giving_back", "needs_attention"] as const
const query = listSchema({ state: one(["open", ...CART_COMPLETION_STATES]).optional() }, ["created_at"])

/** Paid carts and their outcomes; `state` is one of the states, or `open` for the unfinished ones. */
export const GET = tenantEndpoint(async ({ gateway, tenant, query: sent, request }) => {
  const { state, ...filter } = readList(query, sent)
  const states = state === undefined ? undefined : state === "open" ? OPEN : [state]
  const page = await gateway.cartCompletions.list(tenant, { ...filter, states }, filter)
  const number = await orderNumbers(
    request.scope,
    page.rows.map(({ order_id }) => order_id)
  )
  return presentList("paid_carts", page, filter, (row) => ({
    ...presentPaidCart(row),
    medusa_order_number: number(row.order_id),
  }))
})
