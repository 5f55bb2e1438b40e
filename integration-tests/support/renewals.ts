import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { Tenant } from "../../src/modules/gateway/kernel/types"
import { notifySkippedCustomers } from "../../src/store/notifications"
import type { CartShop } from "./carts"
import { Shopper, type OwnSubscription } from "./shoppers"
import type { Store } from "./store"

interface RenewalOrder {
  id: string
  total: number
  tax_total: number
  email: string
  customer_id: string
  currency_code: string
  shipping_address: { city: string }
  shipping_methods: { name: string; amount: number }[]
  items: { id: string; variant_id: string; quantity: number; unit_price: number }[]
  metadata: Record<string, unknown>
  payment_collections: { payments: { id: string; amount: number; provider_id: string; captured_at: string | null }[] }[]
}

const ORDER_FIELDS = [
  "id",
  "total",
  "tax_total",
  "email",
  "customer_id",
  "currency_code",
  "metadata",
  "shipping_address.city",
  "shipping_methods.*",
  "items.*",
  "payment_collections.payments.*",
]

/** A shopper who has bought `quantity` pieces as a subscription. */
export class StoreSubscriber {
  private constructor(
    private readonly store: Store,
    private readonly tenant: Tenant,
    readonly shopper: Shopper,
    readonly uuid: string,
    readonly id: string
  ) {}

  static async buys(
    place: { store: Store; shop: CartShop; tenant: Tenant },
    sku: string,
    quantity: number
  ): Promise<StoreSubscriber> {
    const { store, shop, tenant } = place
    const shopper = await Shopper.register(store, shop)
    await shopper.buy({ [sku]: quantity })
    const [{ id: uuid }] = await shopper.subscriptions()
    const [{ id }] = await store.db("gateway_subscription").where({ uuid })
    return new StoreSubscriber(store, tenant, shopper, uuid, id)
  }

  /** Cancels it, so that the clock has no work for it in later tests. */
  async stop(): Promise<void> {
    await this.shopper.about(this.uuid, "/cancel", { cancel_at_period_end: false })
  }

  async now(): Promise<OwnSubscription> {
    return (await this.shopper.about(this.uuid)).body.subscription
  }

  /** Moves the clock to a second after the next billing date; what falls due until then is done when this returns. */
  async letMonthsPass(months = 1): Promise<void> {
    for (let month = 0; month < months; month += 1) {
      const { next_billing_date } = await this.now()
      await this.shopper.shop.gateway.clock.move(this.tenant, {
        now: new Date(Date.parse(String(next_billing_date)) + 1_000),
      })
    }
  }

  /** The Medusa orders of its renewals, in the order of their periods. */
  async orders(): Promise<RenewalOrder[]> {
    const rows = await this.store.db("gateway_cart_completion").where({ subscription_id: this.id }).orderBy("period")
    const ids = rows.map(({ order_id }) => order_id)
    const query = this.store.container.resolve(ContainerRegistrationKeys.QUERY)
    const { data } = await query.graph({ entity: "order", fields: ORDER_FIELDS, filters: { id: ids.filter(Boolean) } })
    // Converts Medusa's exact numbers to plain ones.
    const orders = JSON.parse(JSON.stringify(data)) as RenewalOrder[]
    return ids.flatMap((id) => orders.filter((order) => order.id === id))
  }

  /** All of Medusa's orders of this subscription, whoever made them. */
  async madeOrders(): Promise<number> {
    const { rows } = await this.store.db.raw(
      `SELECT count(*)::int AS count FROM "order" WHERE metadata ->> 'gateway_subscription_id' = ? AND deleted_at IS NULL`,
      [this.uuid]
    )
    return rows[0].count
  }

  async completions() {
    return this.store.db("gateway_cart_completion").where({ subscription_id: this.id }).orderBy("period")
  }

  async periods(): Promise<[number, string, number][]> {
    const rows = await this.store.db("gateway_billing_record").where({ subscription_id: this.id }).orderBy("period")
    return rows.map(({ period, status, amount_minor }) => [period, status, amount_minor])
  }

  async charges(): Promise<number[]> {
    const rows = await this.store
      .db("gateway_sandbox_operation as o")
      .join("gateway_payment_attempt as a", "a.id", "o.key")
      .join("gateway_transaction as t", "t.id", "a.transaction_id")
      .join("gateway_checkout_session as s", "s.id", "t.session_id")
      .where({ "s.subscription_id": this.id, "o.kind": "charge", "o.outcome": "SUCCESS" })
      .select("o.amount_minor")
    return rows.map(({ amount_minor }) => amount_minor)
  }

  async skips(): Promise<Record<string, unknown>[]> {
    return this.store
      .db("gateway_event")
      .where({ resource_id: this.id, event_type: "subscription.period_skipped" })
      .orderBy("id")
      .pluck("data")
  }

  /** The reasons of the e-mails that announced skipped periods to the shopper. */
  async mails(): Promise<string[]> {
    await notifySkippedCustomers(this.store.container)
    const sent = await this.store.container.resolve(Modules.NOTIFICATION).listNotifications({ to: this.shopper.email })
    return sent
      .filter(({ template }) => template === "gateway-subscription-period-skipped")
      .map(({ data }) => String(data?.reason))
  }

  /** As if the process had died at this point and its leases had expired. */
  async letItBeDue(): Promise<void> {
    await this.store
      .db("gateway_cart_completion")
      .where({ subscription_id: this.id, state: "waiting" })
      .update({ next_attempt_at: new Date(0), locked_until: null, lock_token: null })
  }

  /** Makes its next period fall due now, in advance. */
  async fallDue(): Promise<void> {
    await this.store
      .db("gateway_subscription")
      .where({ id: this.id })
      .update({ due_at: new Date(0) })
  }
}
