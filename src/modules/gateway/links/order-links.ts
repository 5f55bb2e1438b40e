import { actorOf, audit, type By } from "../kernel/database/audit"
import { json, type Database, type Sql } from "../kernel/database/database"
import { formatAmount, type Minor } from "../kernel/money/money"
import { newLinkToken, newOrderedId } from "../kernel/text/ids"
import type { Cradle, Scope, Tenant } from "../kernel/types"
import { findLink, type PaymentLink } from "./records"
import { detailsOf, type Payer } from "./rules"

/** What is outstanding of a Medusa order, and who is asked for it; `customer` null: whoever opens the link says so. */
export type OrderToCollect = {
  store_order_id: string
  amount: Minor
  currency: string
  description: string
  customer: Payer | null
}

/**
 * The link that asks for what is outstanding of a Medusa order (docs/decisions/10). An order has at most one that is
 * open: a unique index. What it asks for is read from the order each time it is opened and paid.
 */
export class OrderLinkService {
  private readonly database: Database

  constructor({ database }: Cradle) {
    this.database = database
  }

  /** The open link of the order; null: none has been made, or it was disabled. */
  async find(tenant: Tenant, store_order_id: string): Promise<PaymentLink | null> {
    const [row] = await this.database.query<{ id: string }>(
      `SELECT id FROM gateway_payment_link
       WHERE store_order_id = $1 AND state = 'open' AND merchant_id = $2 AND environment = $3`,
      [store_order_id, tenant.merchant_id, tenant.environment]
    )
    return row === undefined ? null : findLink(this.database, tenant, row.id)
  }

  /** Makes the order's link, or shows the one that is open what is outstanding and who is asked now. */
  async collect(scope: Scope & By, order: OrderToCollect): Promise<PaymentLink> {
    const { merchant_id, environment } = scope
    const { store_order_id, currency, description, customer } = order
    return this.database.transaction(async (sql) => {
      const wanted = newOrderedId("lnk")
      const [{ id }] = await sql.query<{ id: string }>(
        `INSERT INTO gateway_payment_link (id, token, merchant_id, environment, amount_minor, currency, description,
           customer, customer_phone, created_by, opened_at, reusable, max_payments, store_order_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, true, NULL, $12)
         ON CONFLICT (store_order_id) WHERE store_order_id IS NOT NULL AND state = 'open' DO UPDATE SET
           amount_minor = EXCLUDED.amount_minor, customer = EXCLUDED.customer, customer_phone = EXCLUDED.customer_phone,
           updated_at = now()
         RETURNING id`,
        [
          wanted,
          newLinkToken(),
          merchant_id,
          environment,
          Number(order.amount),
          currency,
          description,
          json(customer && detailsOf(customer)),
          customer?.phone_e164 ?? null,
          actorOf(scope).id,
          scope.now,
          store_order_id,
        ]
      )
      if (id === wanted) {
        await audit(sql, {
          merchant_id,
          environment,
          by: scope,
          action: "payment_link.created",
          resource_id: id,
          after: { amount: formatAmount(order.amount), currency, description, customer: customer?.email },
        })
      }
      return findLink(sql, scope, id)
    })
  }
}

/**
 * How many places the link of an order has: its payments come one after the other, so one more than have taken money.
 * The unique index on link and place lets no second one be open. `sql` holds the link's lock.
 */
export async function placesOfOrder(sql: Sql, link_id: string): Promise<number> {
  const [{ places }] = await sql.query<{ places: number }>(
    `SELECT 1 + count(*)::int AS places FROM gateway_transaction
     WHERE link_id = $1 AND state IN ('SUCCESS', 'REFUNDED')`,
    [link_id]
  )
  return places
}
