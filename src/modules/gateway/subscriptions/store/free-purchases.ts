import type { Database, Sql } from "../../kernel/database/database"
import { claimedBy } from "../../kernel/database/database"
import { DUE_WORK, type Lease } from "../../kernel/database/due-work"
import { GatewayError } from "../../kernel/errors"
import { messageOf } from "../../../../i18n/message"
import type { Cradle, Tenant } from "../../kernel/types"
import { type PlanPurchase, type Purchase, type StorePurchaseService, PURCHASES, writePurchases } from "./purchases"

type Services = Cradle & { storePurchaseService: StorePurchaseService }

/**
 * Subscriptions that begin with a cart that costs nothing: no payment is made, so the cart stands for it
 * (docs/decisions/13). `locked_until` is set while somebody makes the cart's order, and until its subscriptions have
 * begun; when it has passed, the task `complete-paid-carts` looks what became of the cart.
 */
export class FreePurchaseService {
  private readonly database: Database
  private readonly purchases: StorePurchaseService

  constructor({ database, storePurchaseService }: Services) {
    this.database = database
    this.purchases = storePurchaseService
  }

  /** The signed-in customer is about to complete the cart. While that is under way, or done, nothing changes. */
  async agree(tenant: Tenant, purchase: PlanPurchase): Promise<void> {
    await this.database.transaction(async (sql) => {
      const former = await lockRows(sql, purchase.cart_id)
      if (former.every(isFree)) {
        await rewrite(sql, tenant, purchase)
      }
    })
  }

  /**
   * Grants one run at a time, across all processes, the right to make the cart's order. False: another run has it, or
   * has made the order. CART_CHANGED when another customer has agreed: somebody else's name was typed into the cart.
   */
  async lock(tenant: Tenant, purchase: PlanPurchase, token: string): Promise<boolean> {
    return this.database.transaction(async (sql) => {
      const former = await lockRows(sql, purchase.cart_id)
      if (!former.every(isFree)) {
        return false
      }
      if (former.some(({ store_customer_id }) => store_customer_id !== purchase.store_customer_id)) {
        throw new GatewayError("CART_CHANGED", messageOf("refusal.plan_sign_in"))
      }
      if ((await rewrite(sql, tenant, purchase)) < purchase.lines.length) {
        return false
      }
      await sql.query(
        `UPDATE gateway_store_purchase SET lock_token = $2, locked_until = now() + $3 * interval '1 second'
         WHERE cart_id = $1 AND transaction_id IS NULL`,
        [purchase.cart_id, token, DUE_WORK.paidCart.leaseSeconds]
      )
      return true
    })
  }

  /** No order came of the cart; it may be completed again. */
  async unlock(cart_id: string, token: string | null): Promise<void> {
    await this.database.query(
      `UPDATE gateway_store_purchase SET lock_token = NULL, locked_until = NULL, updated_at = now()
       WHERE cart_id = $1 AND transaction_id IS NULL AND subscription_id IS NULL AND ($2::text IS NULL OR lock_token = $2)`,
      [cart_id, token]
    )
  }

  /**
   * The cart has become this order, made at `made_at` of real time: its subscriptions begin, once. What was agreed to
   * and never locked was not completed as a free cart.
   */
  async begin(cart_id: string, order_id: string, made_at: Date): Promise<void> {
    await this.database.transaction(async (sql) => {
      const purchases = await sql.query<Purchase & { at: Date; time_zone: string }>(
        `SELECT ${PURCHASES.columns}, e.time_zone, $2::timestamptz + e.clock_offset_seconds * interval '1 second' AS at
         FROM ${PURCHASES.tables}
         JOIN gateway_merchant_environment e ON e.merchant_id = g.merchant_id AND e.environment = g.environment
         WHERE g.cart_id = $1 AND g.transaction_id IS NULL AND g.subscription_id IS NULL AND g.lock_token IS NOT NULL
         ORDER BY g.line_item_id FOR UPDATE OF g`,
        [cart_id, made_at]
      )
      for (const { at, time_zone, ...purchase } of purchases) {
        await this.purchases.start(sql, purchase, { order_id, at, time_zone, payment: null })
      }
    })
  }

  /** Carts whose order was being made, and has to be done by now. */
  async claim(limit: number, lease: Lease): Promise<{ cart_id: string }[]> {
    const claimed = await this.database.query<{ cart_id: string }>(
      `UPDATE gateway_store_purchase SET locked_until = now() + $2 * interval '1 second', updated_at = now()
       WHERE id ${claimedBy(`SELECT id FROM gateway_store_purchase
                    WHERE transaction_id IS NULL AND subscription_id IS NULL AND locked_until <= now()
                    ORDER BY locked_until LIMIT $1 FOR UPDATE SKIP LOCKED`)}
       RETURNING cart_id`,
      [limit, lease.seconds]
    )
    return [...new Set(claimed.map(({ cart_id }) => cart_id))].map((cart_id) => ({ cart_id }))
  }
}

type Row = { store_customer_id: string; subscription_id: string | null; locked: boolean }

function lockRows(sql: Sql, cart_id: string): Promise<Row[]> {
  return sql.query<Row>(
    `SELECT store_customer_id, subscription_id, COALESCE(locked_until > now(), false) AS locked
     FROM gateway_store_purchase WHERE cart_id = $1 AND transaction_id IS NULL FOR UPDATE`,
    [cart_id]
  )
}

function isFree({ subscription_id, locked }: Row): boolean {
  return subscription_id === null && !locked
}

/**
 * Answers how many lines are written. Another run may have locked lines of its own since ours were read: they stay, and
 * keep ours out.
 */
async function rewrite(sql: Sql, tenant: Tenant, purchase: PlanPurchase): Promise<number> {
  await sql.query(
    `DELETE FROM gateway_store_purchase WHERE cart_id = $1 AND transaction_id IS NULL AND subscription_id IS NULL
       AND (locked_until IS NULL OR locked_until <= now())`,
    [purchase.cart_id]
  )
  return writePurchases(sql, tenant, null, purchase)
}
