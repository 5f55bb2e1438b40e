import { h, type View } from "../lib/dom"
import { day, taka } from "../lib/format"
import { href } from "../lib/router"
import { isPaid, paidOf, refundedOf, type InCash, type ListedOrder } from "../store/orders"
import type { OrderLine } from "../store/types"
import { t } from "../text"
import { cashText } from "./cash"
import { boughtFor, itemTitle } from "./summary"

/** An order in the account's list: number, day, what was bought, state, amount, and what went back. */
export function OrderCard({ order }: { order: ListedOrder }): View {
  const refunded = refundedOf(order)
  const titles = (order.items ?? []).map((item) => `${itemTitle(item)} ${t.summary.quantity(item.quantity)}`)
  return (
    <li class="panel order-card">
      <p class="subscription-head">
        <a class="order-title" href={href(`/orders/${encodeURIComponent(order.id)}`)}>
          {t.order.number(order.display_id ?? order.id)}
        </a>
        <span class={`status status-order-${stateOf(order)}`}>{t.orders.state[stateOf(order)]}</span>
      </p>
      <p>
        {titles.join(", ")} · <span class="amount">{taka(boughtFor(order))}</span>
      </p>
      <p class="muted small">
        {day(order.created_at)} · {paymentText(order, order)}
        {refunded > 0 && ` · ${t.orders.refunded(taka(refunded))}`}
      </p>
    </li>
  )
}

type State = keyof typeof t.orders.state

function stateOf({ status, fulfillment_status }: OrderLine): State {
  if (status === "canceled") {
    return "cancelled"
  }
  switch (fulfillment_status) {
    case "delivered":
      return "delivered"
    case "partially_delivered":
    case "shipped":
    case "partially_shipped":
      return "sent"
    default:
      return "placed"
  }
}

type Paid = Pick<OrderLine, "payment_status" | "payment_collections" | "total" | "credit_line_total">

/** How far an order is paid, in words. */
export function paymentText(order: Paid, { isCash, cash }: InCash): string {
  if (isCash && !isPaid(order)) {
    return cashText(cash)
  }
  switch (order.payment_status) {
    case "captured":
      return t.order.paid
    case "authorized":
      return t.order.setAside
    case "partially_captured":
      return `${t.order.partlyPaid}: ${taka(paidOf(order))}`
    case "refunded":
      // Medusa says so as well when a part was captured and a part of that went back.
      return refundedOf(order) < paidOf(order) ? t.order.partlyRefunded : t.order.refunded
    case "partially_refunded":
      return t.order.partlyRefunded
    default:
      return boughtFor(order) === 0 ? t.order.nothingToPay : t.order.notPaid
  }
}
