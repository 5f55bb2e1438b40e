import type { Minor } from "../kernel/money/money"
import { moved, posting, type Owner, type Posting } from "./rules"

type PostedCash = Owner & { id: string }

/** An order is placed: couriers owe the merchant what is due at the door. Amounts in hundredths of its currency. */
export function cashOrdered(order: PostedCash, due: Minor, occurred_at: Date): Posting {
  return posting(`${order.id}:due`, "cash_ordered", order, {}, occurred_at, moved(due, "cash_due", "cash_orders"))
}

/** A courier has handed over `amount` of what was due, less the `charge` that it keeps. */
export function cashCollected(
  order: PostedCash,
  collection: { id: string; amount: Minor; charge: Minor },
  occurred_at: Date
): Posting {
  const { amount, charge } = collection
  return posting(`${order.id}:${collection.id}`, "cash_collected", order, {}, occurred_at, {
    cash_due: amount,
    cash_received: charge - amount,
    courier_charges: -charge,
  })
}

/** The store's order has changed for the `changes`-th time: so much less is due, or below zero more again. */
export function cashChanged(order: PostedCash & { changes: number }, less: Minor, occurred_at: Date): Posting {
  const amounts = moved(less, "cash_orders", "cash_due")
  return posting(`${order.id}:changed:${order.changes}`, "cash_given_up", order, {}, occurred_at, amounts)
}

/** Nothing more comes: refused at the door, delivered in part, or cancelled. */
export function cashGivenUp(order: PostedCash, amount: Minor, occurred_at: Date): Posting {
  const amounts = moved(amount, "cash_orders", "cash_due")
  return posting(`${order.id}:given_up`, "cash_given_up", order, {}, occurred_at, amounts)
}

/** The merchant has given cash back by hand. `key`: the cash refund's id, for which it is posted once. */
export function cashReturned(order: PostedCash, key: string, amount: Minor, occurred_at: Date): Posting {
  const amounts = moved(amount, "cash_orders", "cash_received")
  return posting(`${order.id}:${key}`, "cash_returned", order, {}, occurred_at, amounts)
}
