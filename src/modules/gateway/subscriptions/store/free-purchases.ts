import type { Database, Sql } from "../../kernel/database/database"
import { claimedBy } from "../../kernel/database/database"
import { DUE_WORK, type Lease } from "../../kernel/database/due-work"
import { GatewayError } from "../../kernel/errors"
import { messageOf } from "../../../../i18n/message"
import type { Cradle, Tenant } from "../../kernel/types"
import type { TrialService } from "../trials"
import {
  type Agreed,
  type PlanPurchase,
  type Purchase,
  type StorePurchaseService,
  AGREED_COLUMNS,
  PURCHASES,
  sameTerms,
  trialsOf,
  writePurchases,
} from "./purchases"

type Services = Cradle & { storePurchaseService: StorePurchaseService; trialService: TrialService }

/**
 * Subscriptions that begin with a cart that costs nothing: no payment is made, so the cart stands for it
 * (docs/decisions/13). `locked_until` is set while somebody makes the cart's order, and until its subscriptions have
 * begun; when it has passed, the task `complete-paid-carts` looks what became of the cart.
 */
export class FreePurchaseService {
  private readonly database: Database
  private readonly purchases: StorePurchaseService
  private readonly trials: TrialService

  constructor({ database, storePurchaseService, trialService }: Services) {
    this.database = database
    this.purchases = storePurchaseService
    this.trials = trialService
  }

  /**
   * The signed-in customer is about to complete the cart. While that is under way, or done, nothing changes. A run whose
   * right has run out may still make the order, so its token stays.
   */
  async agree(tenant: Tenant, purchase: PlanPurchase): Promise<void> {
    await this.database.transaction(async (sql) => {
      const former = await lockRows(sql, purchase.cart_id)
      if (!former.every(isFree)) {
        return
      }
      await rewrite(sql, tenant, purchase, false)
      const [run] = former.filter(({ lock_token }) => lock_token !== null)
      if (run !== undefined) {
        await sql.query(
          `UPDATE gateway_store_purchase SET lock_token = $2, locked_until = $3
           WHERE cart_id = $1 AND transaction_id IS NULL`,
          [purchase.cart_id, run.lock_token, run.locked_until]
        )
      }
    })
  }

  /**
   * Grants one run at a time, across all processes, the right to make the cart's order. False: another run has it, or
   * has made the order. CART_CHANGED when nobody has agreed, or another customer has, or to other terms: the cart has
   * changed after the request was admitted, or somebody else's address was typed into it.
   */
  async lock(tenant: Tenant, purchase: PlanPurchase, token: string): Promise<boolean> {
    return this.database.transaction(async (sql) => {
      const former = await lockRows(sql, purchase.cart_id)
      if (!former.every(isFree)) {
        return false
      }
      const isOther = ({ store_customer_id }: Row) => store_customer_id !== purchase.store_customer_id
      if (former.length === 0 || former.some(isOther)) {
        throw new GatewayError("CART_CHANGED", messageOf("refusal.plan_sign_in"))
      }
      if (!sameTerms(former, purchase.lines)) {
        throw new GatewayError("CART_CHANGED", messageOf("refusal.cart_plans_changed"))
      }
      await this.trials.claim(sql, tenant, trialsOf(purchase))
      await rewrite(sql, tenant, purchase, true)
      await sql.query(
        `UPDATE gateway_store_purchase SET lock_token = $2, locked_until = now() + $3 * interval '1 second'
         WHERE cart_id = $1 AND transaction_id IS NULL`,
        [purchase.cart_id, token, DUE_WORK.paidCart.leaseSeconds]
      )
      return true
    })
  }

  /**
   * The free cart has no plan any more: what a former run has left must not begin with the order of the rest. False:
   * another run makes the order, or has made it.
   */
  async withdraw(cart_id: string): Promise<boolean> {
    return this.database.transaction(async (sql) => {
      if (!(await lockRows(sql, cart_id)).every(isFree)) {
        return false
      }
      await deleteRows(sql, cart_id)
      return true
    })
  }

  /** The run ended without an order; the cart may be completed again. */
  async unlock(cart_id: string, token: string): Promise<void> {
    await this.database.query(
      `UPDATE gateway_store_purchase SET lock_token = NULL, locked_until = NULL, updated_at = now()
       WHERE cart_id = $1 AND transaction_id IS NULL AND subscription_id IS NULL AND lock_token = $2`,
      [cart_id, token]
    )
  }

  /** The cart has become an order that begins nothing. */
  async dismiss(cart_id: string): Promise<void> {
    await this.database.query(
      `UPDATE gateway_store_purchase SET lock_token = NULL, locked_until = NULL, updated_at = now()
       WHERE cart_id = $1 AND transaction_id IS NULL AND subscription_id IS NULL`,
      [cart_id]
    )
  }

  /**
   * There is no order when the right of the run `token` has ended: the task does not look again. The token stays, so
   * that an order which the run makes after all begins its subscriptions.
   */
  async stopWatching(cart_id: string, token: string | null): Promise<void> {
    await this.database.query(
      `UPDATE gateway_store_purchase SET locked_until = NULL, updated_at = now()
       WHERE cart_id = $1 AND transaction_id IS NULL AND subscription_id IS NULL AND lock_token IS NOT DISTINCT FROM $2`,
      [cart_id, token]
    )
  }

  /**
   * The cart has become this order, made at `made_at` of real time: its subscriptions begin, once. What was agreed to
   * and never locked was not completed as a free cart.
   */
  async begin(cart_id: string, order_id: string, made_at: Date): Promise<void> {
    await this.database.transaction(async (sql) => {
      await lockCart(sql, cart_id)
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

  /** Carts whose order was being made, and has to be done by now; each with the token of its last run. */
  async claim(limit: number, lease: Lease): Promise<DueCart[]> {
    const claimed = await this.database.query<DueCart>(
      `UPDATE gateway_store_purchase SET locked_until = now() + $2 * interval '1 second', updated_at = now()
       WHERE id ${claimedBy(`SELECT id FROM gateway_store_purchase
                    WHERE transaction_id IS NULL AND subscription_id IS NULL AND locked_until <= now()
                    ORDER BY locked_until LIMIT $1 FOR UPDATE SKIP LOCKED`)}
       RETURNING cart_id, lock_token`,
      [limit, lease.seconds]
    )
    return [...new Map(claimed.map((due) => [due.cart_id, due])).values()]
  }
}

export type DueCart = { cart_id: string; lock_token: string | null }

type Row = Agreed & {
  store_customer_id: string
  subscription_id: string | null
  lock_token: string | null
  locked_until: Date | null
  is_locked: boolean
}

/**
 * Nobody else rewrites the rows of the cart until the transaction ends. The locks of the rows do not suffice: who waits
 * for rows that are then deleted and written anew reads none of them.
 */
async function lockCart(sql: Sql, cart_id: string): Promise<void> {
  await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`gateway_store_purchase ${cart_id}`])
}

async function lockRows(sql: Sql, cart_id: string): Promise<Row[]> {
  await lockCart(sql, cart_id)
  return sql.query<Row>(
    `SELECT ${AGREED_COLUMNS}, store_customer_id, subscription_id, lock_token, locked_until,
       COALESCE(locked_until > now(), false) AS is_locked
     FROM gateway_store_purchase WHERE cart_id = $1 AND transaction_id IS NULL FOR UPDATE`,
    [cart_id]
  )
}

function isFree({ subscription_id, is_locked }: Row): boolean {
  return subscription_id === null && !is_locked
}

/** The caller has locked the rows, and all are free. */
async function rewrite(sql: Sql, tenant: Tenant, purchase: PlanPurchase, isClaimed: boolean): Promise<void> {
  await deleteRows(sql, purchase.cart_id)
  await writePurchases(sql, tenant, null, purchase, isClaimed)
}

async function deleteRows(sql: Sql, cart_id: string): Promise<void> {
  await sql.query("DELETE FROM gateway_store_purchase WHERE cart_id = $1 AND transaction_id IS NULL", [cart_id])
}
