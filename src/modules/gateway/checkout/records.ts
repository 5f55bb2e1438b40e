import type { Message } from "../../../i18n/message"
import type { HistoryEntry } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import type { Tenant } from "../kernel/types"
import type { CartCompletionState } from "./cart-completion-states"

/** What becomes of money that a cart, or the balance of an order, was paid with. */
export type Completion = Tenant & {
  id: string
  transaction_id: string
  session_id: string
  /** Null: what was paid is the balance of `order_id`. */
  cart_id: string | null
  /** Null until the cart of a renewal is ready to become an order. */
  payment_session_id: string | null
  /** The subscription and period of a renewal; null for a cart that a shopper has paid. */
  subscription_id: string | null
  period: number | null
  state: CartCompletionState
  order_id: string | null
  refund_id: string | null
  attempts: number
  last_error: Message | null
  history: HistoryEntry[]
  /** Somebody is completing the cart at this moment. */
  locked: boolean
}

/** A paid cart. */
export type CartCompletion = Completion & { cart_id: string }
/** A paid balance of an order that exists (order-balances.ts). */
export type PaidBalance = Completion & { cart_id: null; order_id: string }

export const COMPLETION_COLUMNS =
  "id, transaction_id, session_id, merchant_id, environment, cart_id, payment_session_id, subscription_id, period, state, order_id, refund_id, attempts, last_error, history, COALESCE(locked_until > now(), false) AS locked"

/** Has a payment session of Medusa show the money of a checkout. `sql` holds the lock of its completion. */
export async function showBy(sql: Sql, session_id: string, payment_session_id: string): Promise<void> {
  const values = [session_id, payment_session_id]
  await sql.query(
    "UPDATE gateway_cart_completion SET payment_session_id = $2, updated_at = now() WHERE session_id = $1",
    values
  )
  await sql.query(
    "UPDATE gateway_checkout_session SET payment_session_id = $2, updated_at = now() WHERE id = $1",
    values
  )
}
