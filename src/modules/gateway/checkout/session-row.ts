import type { Language } from "../../../i18n/languages"
import type { CustomerDetails, OrderItem, PaymentInfo } from "../acquirers/order"
import type { Interval } from "../kernel/money/calendar"
import type { Minor } from "../kernel/money/money"
import type { Scope } from "../kernel/types"
import type { PaymentRecord } from "../payments/records"

/** A validated checkout order (contract 2.1); amounts in hundredths of its currency. */
export type CheckoutOrder = {
  order_id: string
  currency: string
  amount: Minor
  description: string | null
  success_url: string
  fail_url: string
  cancel_url: string
  ipn_url: string | null
  customer: CustomerDetails
  customer_phone: string
  shipping: Record<string, unknown> | null
  items: OrderItem[] | null
  payment_info: PaymentInfo | null
  metadata: Record<string, unknown> | null
  /** The shop's, in which the payment page opens; absent: not known. */
  language?: Language | null
  /** What people read as the order's number; absent: `order_id`. */
  order_number?: string | null
}

/**
 * Ties a checkout to a Medusa cart; absent for orders from the API. `store_customer_id`: who was signed in when the
 * payment provider asked for it, and so may use saved methods; null for guests.
 */
type CartReference = {
  cart_id: string
  payment_session_id: string
  return_url: string | null
  store_customer_id: string | null
}

/** The subscription and period that a checkout pays for, of the length that is offered; `id` is the row's own id. */
type SubscriptionReference = Interval & { id: string; period: number }

/** What a checkout belongs to besides its order, and how it is created. */
export type CheckoutExtra = {
  cart?: CartReference
  subscription?: SubscriptionReference
  /** The subscription whose new payment method it verifies; its own id. The money is given back. */
  verifies?: string
  /** The payment link that it pays, and its place there; null: the link takes any number of payments. */
  link?: { id: string; place: number | null }
  /** The Medusa order of which it pays what is outstanding. */
  store_order_id?: string
  session_id?: string
  idempotency_id?: string
  /** The merchant is compatible with shop modules: an order_id may be used again while it is unpaid. */
  repeatable?: boolean
}

/** The session's row by its columns' names, as JSON: undefined is NULL. */
export function sessionRow(
  scope: Scope,
  id: string,
  order: CheckoutOrder,
  extra: CheckoutExtra,
  expires_at: Date
): object {
  const { amount, ...ordered } = order
  const { cart, subscription, verifies, idempotency_id, store_order_id } = extra
  return {
    ...ordered,
    ...cart,
    id,
    merchant_id: scope.merchant_id,
    environment: scope.environment,
    amount_minor: Number(amount),
    source: sourceOf(extra),
    store_order_id,
    idempotency_id,
    subscription_id: subscription?.id ?? verifies,
    subscription_period: subscription?.period,
    interval_count: subscription?.interval_count,
    interval_unit: subscription?.interval_unit,
    opened_at: scope.now,
    expires_at,
  }
}

function sourceOf({ cart, verifies, store_order_id }: CheckoutExtra): PaymentRecord["source"] {
  const own = cart === undefined ? "api" : "cart"
  return verifies !== undefined ? "verification" : store_order_id === undefined ? own : "order"
}
