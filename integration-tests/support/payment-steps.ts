import type { Store } from "./store"
import { until } from "./until"

/** What the payment of a cart leaves in the database, in this order: where a race with it may begin. */
export const PAYMENT_STEPS = ["begun", "marked", "attempted", "paid", "ordering", "ordered"] as const

/** Waits until the payment of a cart has come to a step; it may have gone further meanwhile. */
export async function paymentIs(store: Store, step: (typeof PAYMENT_STEPS)[number], session_id: string): Promise<void> {
  await until(`the payment is ${step}`, async () => {
    const { rows } = await store.db.raw(
      `SELECT true AS begun, c.metadata->>'gateway_transaction_id' = t.id AS marked,
              EXISTS (SELECT 1 FROM gateway_payment_attempt a WHERE a.transaction_id = t.id) AS attempted,
              t.state = 'SUCCESS' AS paid, k.lock_token IS NOT NULL OR k.state = 'ordered' AS ordering,
              k.state = 'ordered' AS ordered
       FROM gateway_transaction t JOIN gateway_checkout_session s ON s.id = t.session_id JOIN cart c ON c.id = s.cart_id
       LEFT JOIN gateway_cart_completion k ON k.transaction_id = t.id WHERE s.id = ?`,
      [session_id]
    )
    return rows[0][step] === true
  })
}
