import type { Logger } from "@medusajs/framework/types"
import { ADVISORY_LOCKS, type Database, type Sql, claimedBy } from "../../kernel/database/database"
import { withinDeadline } from "../../kernel/database/deadline"
import { DUE_WORK, DueWork, type Lease } from "../../kernel/database/due-work"
import { GatewayError } from "../../kernel/errors"
import { allot, type SkipReason, type Stock, type StockRequest } from "./stock"
import { openPeriod } from "../lifecycle"
import { recordsOf } from "../billing/records"
import type { DeliveryAddress } from "./purchases"
import type { StoreConnection, WithStore } from "../../store-port"
import type { SubscriptionRow } from "../records"
import type { Cradle } from "../../kernel/types"

/** What becomes of due subscriptions of the store; `unclear`: nobody could say whether there is stock. */
type Admission<One, Taken> = {
  taken: Taken[]
  skipped: { one: One; reason: SkipReason }[]
  unclear: readonly One[]
}

/** A skipped period whose customer is to be notified. Amount in poisha. */
export type SkipNotification = {
  id: string
  reason: SkipReason
  subscription_uuid: string
  plan_name: string | null
  amount_minor: number
  currency: string
  period_start: Date
  next_billing_date: Date | null
  email: string
  customer_name: string
  merchant_name: string
}

/**
 * A paid renewal, and the cart through which it becomes an order. Amounts in poisha, for the whole quantity: the
 * charge, and the delivery's share of it.
 */
export type RenewedGoods = StockRequest & {
  cart_id: string
  amount_minor: number
  delivery_minor: number
  /** The customer's of now, not the first order's. */
  email: string
  /** Null: the first order's. */
  delivery_address: DeliveryAddress | null
  metadata: Record<string, unknown>
}

type Purchase = StockRequest & { subscription_id: string }

/** How long a billing run waits for the store's stock, which its other charges wait for too. */
const STOCK_SECONDS = 20
/** How long customers are still notified of a skipped period (real time). */
const NOTIFY_DAYS = 1

/**
 * The gate before a renewal of the store is charged (docs/decisions/13): what cannot be sent is not charged.
 * Renewals that are being charged, or are charged and have no order yet, hold their goods already.
 */
export class StoreRenewalService {
  private readonly database: Database
  private readonly logger: Logger
  private readonly store: StoreConnection
  private readonly orders: DueWork<{ transaction_id: string }, { merchant_id: string }>

  constructor({ database, logger, storePort }: Cradle & WithStore) {
    this.database = database
    this.logger = logger
    this.store = storePort
    this.orders = new DueWork(logger, DUE_WORK.renewalOrder, {
      id: ({ transaction_id }) => transaction_id,
      claim: (limit, lease, only) => this.claimOrders(limit, lease, only?.merchant_id ?? ""),
      work: ({ transaction_id }) => this.store.connected.makeRenewalOrder(transaction_id),
    })
  }

  /**
   * Asks for the goods of due subscriptions and has those that get them reserved by `take`, in the transaction that
   * gives them out. A period that is PROCESSING passes, even when nobody can read the stock: its charge may have been
   * made before its worker died.
   */
  async admit<One extends { row: SubscriptionRow }, Taken>(
    due: readonly One[],
    take: (sql: Sql, admitted: readonly One[]) => Promise<Taken[]>
  ): Promise<Admission<One, Taken>> {
    const purchases = await this.purchasesOf(due.map(({ row }) => row.id))
    const stock = await this.stockFor([...purchases.values()])
    return this.database.transaction(async (sql) => {
      await sql.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.renewalStock})`)
      const records = await recordsOf(
        sql,
        due.map(({ row }) => ({ subscription_id: row.id, period: openPeriod(row) }))
      )
      const isUnderWay = ({ row }: One) => records.get(`${row.id} ${openPeriod(row)}`)?.status === "PROCESSING"
      const underWay = due.filter(isUnderWay)
      const asking = due.filter((one) => !isUnderWay(one))
      if (stock === null) {
        return { taken: await take(sql, underWay), skipped: [], unclear: asking }
      }
      const held = await this.held(sql, stock)
      const answers = allot(
        stock,
        held,
        asking.map(({ row }) => purchases.get(row.id) ?? NOTHING)
      )
      const skipped = asking.flatMap((one, index) => {
        const reason = answers[index]
        return reason === null ? [] : [{ one, reason }]
      })
      const admitted = [...underWay, ...asking.filter((_, index) => answers[index] === null)]
      return { taken: await take(sql, admitted), skipped, unclear: [] }
    })
  }

  /** Why a shopper who wants to pay the open period of this subscription now would get nothing for it; null: it can be sent. */
  async refusal(subscription_id: string): Promise<SkipReason | null> {
    const request = (await this.purchasesOf([subscription_id])).get(subscription_id)
    if (request === undefined) {
      return null
    }
    const stock = await this.stockFor([request])
    return stock === null ? null : allot(stock, await this.held(this.database, stock), [request])[0]
  }

  /** Since when a renewal of a merchant's sandbox is paid and nobody has tried to make its order, by its own clock. */
  async nextOrder(merchant_id: string): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(
      `SELECT min(t.verified_at) AS at FROM gateway_cart_completion c JOIN gateway_transaction t ON t.id = c.transaction_id
       WHERE ${UNTRIED}`,
      [merchant_id]
    )
    return row.at
  }

  /** Makes the orders of a sandbox's renewals while its clock moves; those that fail are left to `complete-paid-carts`. */
  async makeOrders(most: number, only: { merchant_id: string }): Promise<number> {
    // Before anything is claimed: a claim keeps the order from other processes for minutes.
    this.store.assertConnected()
    return this.orders.run({ most, only })
  }

  private claimOrders(limit: number, lease: Lease, merchant_id: string): Promise<{ transaction_id: string }[]> {
    return this.database.query<{ transaction_id: string }>(
      `UPDATE gateway_cart_completion SET next_attempt_at = now() + $3 * interval '1 second', updated_at = now()
       WHERE id ${claimedBy(`SELECT c.id FROM gateway_cart_completion c WHERE ${UNTRIED}
                    ORDER BY c.next_attempt_at, c.id LIMIT $2 FOR UPDATE SKIP LOCKED`)}
       RETURNING transaction_id`,
      [merchant_id, limit, lease.seconds]
    )
  }

  /**
   * What is to be ordered; `mark` names the member of the order's metadata that has the transaction's id. An admin may
   * have lowered the subscription's amount to that of its delivery or less: then the delivery costs nothing.
   */
  async goodsOf(
    { transaction_id, cart_id }: { transaction_id: string; cart_id: string },
    mark: string
  ): Promise<RenewedGoods> {
    const [row] = await this.database.query<
      StockRequest &
        Pick<RenewedGoods, "amount_minor" | "delivery_minor" | "delivery_address" | "email"> & {
          uuid: string
          period: number
          record: string
        }
    >(
      `SELECT COALESCE(c.variant_id, g.variant_id) AS variant_id, g.quantity, COALESCE(s.store_order_id, '') AS order_id, t.amount_minor, s.uuid, r.period, r.uuid AS record,
         g.delivery_address, u.email,
         CASE WHEN g.delivery_minor < t.amount_minor THEN g.delivery_minor ELSE 0 END AS delivery_minor
       FROM gateway_cart_completion c JOIN gateway_transaction t ON t.id = c.transaction_id
       JOIN gateway_subscription s ON s.id = c.subscription_id JOIN gateway_store_purchase g ON g.subscription_id = s.id
       JOIN gateway_billing_record r ON r.subscription_id = s.id AND r.period = c.period
       JOIN gateway_customer u ON u.id = s.customer_id
       WHERE c.transaction_id = $1`,
      [transaction_id]
    )
    if (row === undefined) {
      throw new GatewayError("SUBSCRIPTION_NOT_FOUND")
    }
    const { uuid, period, record, ...goods } = row
    const about = { gateway_subscription_id: uuid, gateway_billing_record_id: record, gateway_period: period }
    return { ...goods, cart_id, metadata: { [mark]: transaction_id, ...about } }
  }

  /** Claims skipped periods whose customer is not notified yet; one that fails is claimed again for a day. */
  async claimNotifications(limit: number, lease: Lease): Promise<SkipNotification[]> {
    return this.database.query<SkipNotification>(
      `WITH due AS (
         UPDATE gateway_skipped_period SET mail_due_at = CASE
           WHEN created_at > now() - $2 * interval '1 day' THEN now() + $3 * interval '1 second' END, updated_at = now()
         WHERE id ${claimedBy(`SELECT id FROM gateway_skipped_period WHERE mail_due_at <= now()
                      ORDER BY mail_due_at LIMIT $1 FOR UPDATE SKIP LOCKED`)}
         RETURNING *)
       SELECT due.id, due.reason, s.uuid AS subscription_uuid, COALESCE(i.plan_name, p.plan_name) AS plan_name, due.amount_minor, s.currency, due.period_start,
              CASE WHEN s.ends_at > s.next_billing_date IS NOT FALSE THEN s.next_billing_date END AS next_billing_date,
              c.email, c.name AS customer_name, m.name AS merchant_name
       FROM due JOIN gateway_subscription s ON s.id = due.subscription_id
       JOIN gateway_customer c ON c.id = s.customer_id JOIN gateway_merchant m ON m.id = s.merchant_id
       LEFT JOIN gateway_invoice i ON i.subscription_id = s.id AND i.period = due.period AND i.status <> 'VOID'
       LEFT JOIN gateway_plan p ON p.id = s.plan_id ORDER BY due.skipped_at, due.id`,
      [limit, NOTIFY_DAYS, lease.seconds]
    )
  }

  async markNotified(id: string): Promise<void> {
    await this.database.query(
      "UPDATE gateway_skipped_period SET mail_due_at = NULL, updated_at = now() WHERE id = $1",
      [id]
    )
  }

  private async stockFor(requests: readonly StockRequest[]): Promise<Stock | null> {
    try {
      return await withinDeadline(STOCK_SECONDS, () => this.store.connected.readStock(requests))
    } catch (error) {
      this.logger.error(`gateway: the store's stock cannot be read, renewals wait: ${(error as Error).message}`)
      return null
    }
  }

  private async purchasesOf(subscription_ids: readonly string[]): Promise<Map<string, Purchase>> {
    const rows = await this.database.query<Purchase>(
      `SELECT g.subscription_id, COALESCE(s.store_variant_id, g.variant_id) AS variant_id, g.quantity, COALESCE(s.store_order_id, '') AS order_id
       FROM gateway_store_purchase g JOIN gateway_subscription s ON s.id = g.subscription_id
       WHERE g.subscription_id = ANY($1)`,
      [subscription_ids]
    )
    return new Map(rows.map((row) => [row.subscription_id, row]))
  }

  /** What renewals that are paid, or being charged, take of this stock when their orders are made. */
  private held(sql: Sql, { variants }: Stock): Promise<StockRequest[]> {
    return sql.query<StockRequest>(
      `SELECT s.store_variant_id AS variant_id, g.quantity, COALESCE(s.store_order_id, '') AS order_id
       FROM gateway_store_purchase g JOIN gateway_subscription s ON s.id = g.subscription_id
       JOIN gateway_billing_record r ON r.subscription_id = s.id AND r.period = s.paid_period + 1 AND r.status = 'PROCESSING'
       WHERE s.store_variant_id = ANY($1)
       UNION ALL
       SELECT c.variant_id, g.quantity, COALESCE(s.store_order_id, '')
       FROM gateway_store_purchase g JOIN gateway_subscription s ON s.id = g.subscription_id
       JOIN gateway_cart_completion c ON c.subscription_id = s.id AND c.state = 'waiting'
       WHERE c.variant_id = ANY($1)`,
      [[...variants.keys()]]
    )
  }
}

const UNTRIED = `c.merchant_id = $1 AND c.environment = 'sandbox' AND c.state = 'waiting' AND c.subscription_id IS NOT NULL
  AND c.attempts = 0 AND c.next_attempt_at <= now()`

/** A subscription of the store without its purchase has nothing to be sent. */
const NOTHING: StockRequest = { variant_id: "", quantity: 0, order_id: "" }
