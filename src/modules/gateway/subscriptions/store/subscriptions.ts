import { GatewayError } from "../../kernel/errors"
import { messageOf } from "../../../../i18n/message"
import { publicId } from "../../kernel/text/ids"
import { json, type Database, type Sql } from "../../kernel/database/database"
import { LIMITS } from "../../kernel/limits"
import type { Plan, PlanService } from "../../plans/service"
import type { WithStore } from "../../store-port"
import { isComplete } from "../end-rules"
import { findSubscription, SUBSCRIPTION_COLUMNS, SUBSCRIPTION_TABLES, type SubscriptionRow } from "../records"
import type { DeliveryAddress } from "./purchases"
import type { Cradle, Scope, Tenant } from "../../kernel/types"

/** A subscription as its owner sees it in the store. */
export type OwnSubscription = SubscriptionRow & {
  /** Poisha: the delivery's share of a renewal. */
  delivery_minor: number
  /** Where renewals are sent; null: where the first order was, or nothing is sent. */
  delivery_address: DeliveryAddress | null
  instrument: { method: string; service: string; brand?: string; last_four?: string; account?: string } | null
}

/** What renewals of a subscription would send and cost on another plan; poisha, for its quantity and with its delivery. */
export type PlanGoods = { store_variant_id: string; amount_minor: number }

/** A plan that goods may be switched to; its amount is what a renewal costs then. */
export type OfferedPlan = Plan & PlanGoods & { quantity: number }

/** One customer of the store. */
export type Owner = Tenant & { store_customer_id: string }

type Page = { limit: number; offset: number }

const COLUMNS = `${SUBSCRIPTION_COLUMNS}, g.delivery_minor, g.delivery_address,
  CASE WHEN i.id IS NOT NULL THEN jsonb_strip_nulls(jsonb_build_object(
    'method', i.method, 'service', i.service, 'brand', i.brand, 'last_four', i.last_four, 'account', i.account)) END AS instrument`

const TABLES = `${SUBSCRIPTION_TABLES} JOIN gateway_store_purchase g ON g.subscription_id = s.id
  LEFT JOIN gateway_instrument i ON i.id = s.instrument_id`

const OWN = "g.merchant_id = $1 AND g.environment = $2 AND g.store_customer_id = $3"

/**
 * The subscriptions of a customer of the store. The purchase recorded the owner: a matching e-mail address proves
 * nothing, because anybody may register it.
 */
export class StoreSubscriptionService {
  private readonly database: Database
  private readonly plans: PlanService
  private readonly store: WithStore["storePort"]

  constructor({ database, planService, storePort }: Cradle & WithStore & { planService: PlanService }) {
    this.database = database
    this.plans = planService
    this.store = storePort
  }

  /** Newest first. */
  async list(owner: Owner, { limit, offset }: Page): Promise<{ rows: OwnSubscription[]; count: number }> {
    const values = [owner.merchant_id, owner.environment, owner.store_customer_id]
    const [{ count }] = await this.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM gateway_store_purchase g WHERE ${OWN} AND g.subscription_id IS NOT NULL`,
      values
    )
    const rows = await this.database.query<OwnSubscription>(
      `SELECT ${COLUMNS} FROM ${TABLES} WHERE ${OWN} ORDER BY s.number DESC LIMIT $4 OFFSET $5`,
      [...values, limit, offset]
    )
    return { rows, count }
  }

  /**
   * Changes where the renewals are sent; orders that were made stay as they are. The delivery's price was agreed for
   * the country, so that stays. Errors: SUBSCRIPTION_NOT_FOUND; INVALID_STATE_TRANSITION where nothing is sent any
   * more, or to another country.
   */
  async move(owner: Owner & Scope, id: string, address: DeliveryAddress): Promise<OwnSubscription> {
    return this.database.transaction(async (sql) => {
      const { id: row_id, uuid } = await this.retrieve(owner, id, sql)
      const before = await findSubscription(sql, owner, row_id, "FOR UPDATE OF s")
      if (before.status === "CANCELLED" || before.status === "EXPIRED") {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.subscription_ended"))
      }
      const [{ delivery_address: former }] = await sql.query<Pick<OwnSubscription, "delivery_address">>(
        "SELECT delivery_address FROM gateway_store_purchase WHERE subscription_id = $1",
        [row_id]
      )
      const country = former?.country_code ?? null
      if (country !== null && country !== address.country_code) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.renewal_other_country", { country }))
      }
      await sql.query(
        "UPDATE gateway_store_purchase SET delivery_address = $2::jsonb, updated_at = now() WHERE subscription_id = $1",
        [row_id, json(address)]
      )
      return this.retrieve(owner, uuid, sql)
    })
  }

  /**
   * The goods that the store sells on these plans in place of the subscription's, by the plans' row ids. A plan without
   * such goods, or with a price above the limit, is left out (docs/decisions/13).
   */
  async goodsOn(row: SubscriptionRow, plans: readonly Plan[]): Promise<Map<string, PlanGoods>> {
    const { id, quantity, store_variant_id: variant_id, store_order_id: order_id } = row
    if (variant_id === null || order_id === null || plans.length === 0) {
      return new Map()
    }
    const ids = plans.map((plan) => plan.id)
    const variants = await this.store.connected.variantsOn(ids, { variant_id, order_id })
    const [purchase] = await this.database.query<{ delivery_minor: number }>(
      "SELECT delivery_minor FROM gateway_store_purchase WHERE subscription_id = $1",
      [id]
    )
    const goods = plans.flatMap((plan) => {
      const store_variant_id = variants.get(plan.id)
      const amount_minor = plan.amount_minor * quantity + (purchase?.delivery_minor ?? 0)
      const isSold = store_variant_id !== undefined && amount_minor <= LIMITS.orderAmountMaxMinor
      return isSold ? [[plan.id, { store_variant_id, amount_minor }] as const] : []
    })
    return new Map(goods)
  }

  /** The plans that a customer may switch these goods to, with what a renewal costs then. */
  async plansFor(row: SubscriptionRow): Promise<OfferedPlan[]> {
    const isOpen = row.status === "TRIALING" || row.status === "ACTIVE" || row.status === "PAUSED"
    // After the last period of an end of its own there is none that another plan could begin with.
    if (row.plan_id === null || !isOpen || (row.has_own_end && isComplete(row))) {
      return []
    }
    const plans = await this.plans.relatives(row, row.plan_id)
    const goods = await this.goodsOn(row, plans)
    return plans.flatMap((plan) => {
      const sold = goods.get(plan.id)
      return sold === undefined ? [] : [{ ...plan, ...sold, quantity: row.quantity }]
    })
  }

  /** By the uuid or the integer id; throws SUBSCRIPTION_NOT_FOUND, for other customers' subscriptions too. */
  async retrieve(owner: Owner, id: string, sql: Sql = this.database): Promise<OwnSubscription> {
    const named = publicId(id)
    const rows =
      named === null
        ? []
        : await sql.query<OwnSubscription>(`SELECT ${COLUMNS} FROM ${TABLES} WHERE ${OWN} AND s.${named.column} = $4`, [
            owner.merchant_id,
            owner.environment,
            owner.store_customer_id,
            named.value,
          ])
    if (rows.length === 0) {
      throw new GatewayError("SUBSCRIPTION_NOT_FOUND")
    }
    return rows[0]
  }
}
