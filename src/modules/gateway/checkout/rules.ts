import type { OrderItem } from "../acquirers/order"
import { DELIVERY } from "../kernel/limits"
import { parseAmount } from "../kernel/money/money"
import type { CartCompletion, Completion, PaidBalance } from "./records"
import type { PaymentRecord } from "../payments/records"
import { publicStatus, type TransactionState } from "../payments/states"

/** A checkout whose order_id is asked for again; amounts in hundredths. */
export type RepeatedOrder = {
  source: "api" | "cart" | "billing" | "verification" | "order"
  subscription_id: string | null
  link_id: string | null
  state: TransactionState
  amount_minor: number
  currency: string
  expires_at: Date
}

/**
 * - used: the order_id stays the other checkout's for ever
 * - in_doubt: the same for now: an attempt to pay it is under way, or its outcome is not known
 * - same: the open session is this order's
 * - expire: the session is open and has to expire before another one takes its place
 * - replace: the session has ended without money
 */
export type Repeat = "used" | "in_doubt" | "same" | "expire" | "replace"

const BY_STATE: Record<TransactionState, Repeat | null> = {
  OPEN: null,
  PROCESSING: "in_doubt",
  HELD: "in_doubt",
  AUTHORIZED: "used",
  SUCCESS: "used",
  REFUNDED: "used",
  FAILED: "replace",
  CANCELLED: "replace",
  EXPIRED: "replace",
}

/**
 * The answer to an order_id that a merchant compatible with shop modules repeats. Only its own orders are repeated: the
 * order_ids of carts, of payment links and of subscriptions' payments are ours. Source: decisions, Found by real
 * clients.
 */
export function repeatOf(existing: RepeatedOrder, order: { amount: bigint; currency: string }, now: Date): Repeat {
  if (existing.source !== "api" || existing.subscription_id !== null || existing.link_id !== null) {
    return "used"
  }
  const decided = BY_STATE[existing.state]
  if (decided !== null) {
    return decided
  }
  const isOpen = publicStatus(existing.state, existing.expires_at, now) === "PENDING"
  const isSame = BigInt(existing.amount_minor) === order.amount && existing.currency === order.currency
  return isOpen && isSame ? "same" : "expire"
}

/** A cart was paid. */
export function isCart(completion: Completion): completion is CartCompletion {
  return completion.cart_id !== null
}

/** What was outstanding of an order that exists was paid. */
export function isBalance(completion: Completion): completion is PaidBalance {
  return completion.cart_id === null
}

/** Whether the latest attempt may have an EMI plan to show: a card payment that is under way or has succeeded. */
export function hasPlan({ state, payment_method }: PaymentRecord): boolean {
  return payment_method === "card" && ["PROCESSING", "HELD", "SUCCESS", "REFUNDED"].includes(state)
}

/** The cart took another course before the time to pay was up. */
export function isLeftBehind({ source, state, finished_at, expires_at }: PaymentRecord): boolean {
  return source === "cart" && state === "EXPIRED" && finished_at !== null && finished_at < expires_at
}

/** One line of the order; amounts in hundredths of the payment's currency, null where the merchant sent none. */
export type PageItem = {
  name: string
  quantity: number
  unit_price_minor: number | null
  total_minor: number | null
  is_delivery: boolean
}

/** A line as the page shows it. */
export function pageItem(item: OrderItem): PageItem {
  const quantity = item.quantity ?? 1
  const unit = parseAmount(item.unit_price)
  const total = parseAmount(item.net_amount) ?? (unit === null ? null : unit * BigInt(quantity))
  return {
    name: item.product_name || item.sku || "",
    quantity,
    unit_price_minor: unit === null ? null : Number(unit),
    total_minor: total === null ? null : Number(total),
    is_delivery: item.product_category === DELIVERY,
  }
}
