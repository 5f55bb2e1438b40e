import { messageOf } from "../../../i18n/message"
import { historyEntry } from "../kernel/database/audit"
import type { Sql } from "../kernel/database/database"
import type { PaymentRecord } from "./records"

/** How long the request that paid a cart, or the balance of an order, has to do the store's part before a task does it. */
const GRACE_SECONDS = 30

/**
 * Notes, in the transaction that ends a checkout or reserves its money (`sql`), what the store has to do: a paid cart must
 * get its order or a refund, a paid balance must be recorded on its order or given back, and Medusa's payment session of a
 * cart must learn that nothing was paid.
 */
export async function noteStoreWork(sql: Sql, record: PaymentRecord, at: Date): Promise<void> {
  const isPaid = record.verified_at !== null || record.state === "AUTHORIZED"
  if (isPaid && (record.source === "cart" || record.source === "order")) {
    await awaitOrder(sql, record, at)
  } else if (record.source === "cart") {
    await sql.query("UPDATE gateway_checkout_session SET outcome_due_at = now(), updated_at = now() WHERE id = $1", [
      record.session_id,
    ])
  }
}

async function awaitOrder(sql: Sql, record: PaymentRecord, at: Date): Promise<void> {
  await sql.query(
    `INSERT INTO gateway_cart_completion
       (id, transaction_id, session_id, merchant_id, environment, cart_id, order_id, payment_session_id, next_attempt_at,
        history)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 second', $10)`,
    [
      `gcc_${record.transaction_id.slice(3)}`,
      record.transaction_id,
      record.session_id,
      record.merchant_id,
      record.environment,
      record.cart_id,
      record.store_order_id,
      record.payment_session_id,
      GRACE_SECONDS,
      historyEntry(messageOf(record.source === "order" ? "balance.paid" : "cart.paid"), at),
    ]
  )
}
