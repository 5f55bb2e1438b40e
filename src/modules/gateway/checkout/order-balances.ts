import type { Database } from "../kernel/database/database"
import type { Minor } from "../kernel/money/money"
import type { Cradle } from "../kernel/types"
import { showBy } from "./records"

/**
 * Payments of what is outstanding of an order that exists (docs/decisions/10). The row that is due is the one of paid
 * carts, `gateway_cart_completion`, without a cart.
 */
export class OrderBalanceService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /**
   * Whether a payment of the order's balance is under way, or was paid and is not recorded on the order yet. Ask before
   * you read what is outstanding: read the other way round, a payment recorded in between would be asked for again.
   * `except`: the payment that asks.
   */
  async isSettling(store_order_id: string, except: string | null = null): Promise<boolean> {
    const [{ settling }] = await this.database.query<{ settling: boolean }>(
      `SELECT EXISTS (
         SELECT 1 FROM gateway_payment_link l JOIN gateway_transaction t ON t.link_id = l.id
         WHERE l.store_order_id = $1 AND t.state IN ('PROCESSING', 'HELD') AND t.id IS DISTINCT FROM $2)
       OR EXISTS (
         SELECT 1 FROM gateway_cart_completion c
         WHERE c.order_id = $1 AND c.cart_id IS NULL AND c.state = 'waiting') AS settling`,
      [store_order_id, except]
    )
    return settling
  }

  /**
   * Binds Medusa's payment session, on a payment collection of the order, to the money that has paid the balance.
   * Returns the payment's checkout session; null: no such payment is being recorded on the order at this moment.
   */
  async adopt(store_order_id: string, payment_session_id: string, amount: Minor): Promise<string | null> {
    return this.database.transaction(async (sql) => {
      const [row] = await sql.query<{ session_id: string }>(
        `SELECT c.session_id FROM gateway_cart_completion c JOIN gateway_transaction t ON t.id = c.transaction_id
         WHERE c.order_id = $1 AND c.cart_id IS NULL AND c.state = 'waiting' AND c.locked_until > now()
           AND t.state = 'SUCCESS' AND t.amount_minor = $2 AND t.refunded_minor < t.amount_minor
         ORDER BY c.created_at LIMIT 1 FOR UPDATE OF c`,
        [store_order_id, amount]
      )
      if (row === undefined) {
        return null
      }
      await showBy(sql, row.session_id, payment_session_id)
      return row.session_id
    })
  }
}
