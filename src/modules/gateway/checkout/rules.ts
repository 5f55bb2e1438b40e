import { publicStatus, type TransactionState } from "../payments/states"

/** A checkout whose order_id is asked for again; amounts in hundredths. */
export type RepeatedOrder = {
  source: "api" | "cart" | "billing" | "verification"
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
