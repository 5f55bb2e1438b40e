import { messageOf } from "../../../../i18n/message"
import { GatewayError } from "../../kernel/errors"
import { newId } from "../../kernel/text/ids"
import { begin } from "../rules"
import type { IntervalUnit } from "../../kernel/money/calendar"
import { columnar, json, type Database, type Sql } from "../../kernel/database/database"
import { emit } from "../../kernel/database/outbox"
import { merchantNow, PAYMENT_COLUMNS, PAYMENT_TABLES, type PaymentRecord } from "../../payments/records"
import { subscriptionEvents } from "../events"
import { findSubscription, insertSubscription } from "../records"
import type { Cradle, Tenant } from "../../kernel/types"
import type { InvoiceLine } from "../invoice-line-rules"
import type { CustomerService, NewCustomer } from "../customers"
import type { SubscriptionPaymentService } from "../payments"
import type { TrialService } from "../trials"

/** A line of a cart that is sold on a plan; amounts in poisha, for the whole quantity. */
export type PlanLine = {
  line_item_id: string
  variant_id: string
  plan_id: string
  quantity: number
  /** The price of each renewal, its delivery included. */
  amount_minor: number
  /** The delivery's share of it: each renewal is a shipment of its own. 0 for what is not sent. */
  delivery_minor: number
  /** What the line and its delivery cost in the cart, with tax and after discounts. */
  paid_minor: number
  /** What the invoice of the first period consists of (docs/decisions/13). */
  lines: readonly InvoiceLine[]
  trial_period_days: number | null
  /** The plan has a trial that this customer does not get again: the line costs the plan's price. */
  trial_refused: boolean
  /** The plan's: after so many paid periods it ends. */
  billing_cycles: number | null
}

/** Where goods are sent, as Medusa's addresses have it. `country_code` is in lower case. */
export type DeliveryAddress = {
  first_name: string | null
  last_name: string | null
  company: string | null
  address_1: string | null
  address_2: string | null
  city: string | null
  province: string | null
  postal_code: string | null
  country_code: string | null
  phone: string | null
  /** What the shop keeps of the address, such as a courier's area; nothing once the shopper has changed it. */
  metadata: Record<string, unknown> | null
}

export type PlanPurchase = {
  cart_id: string
  /** The cart's, which the renewals keep; null: it has none. */
  delivery_address: DeliveryAddress | null
  store_customer_id: string
  customer: Omit<NewCustomer, "store_customer_id">
  lines: readonly PlanLine[]
}

export type Purchase = Tenant &
  PlanLine & {
    id: string
    store_customer_id: string
    customer: Omit<NewCustomer, "store_customer_id">
    currency: string
    interval_count: number
    interval_unit: IntervalUnit
  }

/** The order that a line has; `at` is on the merchant's clock, and there is no payment of a free cart. */
type Bought = { order_id: string; payment: PaymentRecord | null; at: Date; time_zone: string }

/** Lines with the terms of their plans. */
export const PURCHASES = {
  columns: `g.id, g.merchant_id, g.environment, g.line_item_id, g.variant_id, g.plan_id, g.store_customer_id, g.customer,
    g.quantity, g.amount_minor, g.delivery_minor, g.paid_minor, g.lines, g.trial_period_days, g.trial_refused, g.billing_cycles, p.currency, p.interval_count,
    p.interval_unit`,
  tables: "gateway_store_purchase g JOIN gateway_plan p ON p.id = g.plan_id",
}

/** The terms of a line that the shopper has seen. */
export type Agreed = Pick<
  PlanLine,
  "line_item_id" | "plan_id" | "quantity" | "amount_minor" | "delivery_minor" | "trial_period_days" | "billing_cycles"
>

export const AGREED_COLUMNS =
  "line_item_id, plan_id, quantity, amount_minor, delivery_minor, trial_period_days, billing_cycles"

type Services = Cradle & {
  customerService: CustomerService
  subscriptionPaymentService: SubscriptionPaymentService
  trialService: TrialService
}

const NEW = {
  id: "text",
  merchant_id: "text",
  environment: "text",
  transaction_id: "text",
  cart_id: "text",
  line_item_id: "text",
  variant_id: "text",
  plan_id: "text",
  store_customer_id: "text",
  customer: "text",
  delivery_address: "text",
  quantity: "int",
  amount_minor: "int",
  delivery_minor: "int",
  paid_minor: "int",
  lines: "text",
  trial_period_days: "int",
  trial_refused: "boolean",
  trial_claimed_at: "timestamptz",
  billing_cycles: "int",
}

const JSON_COLUMNS = ["customer", "delivery_address", "lines"]

/** Subscriptions that begin with an order of the store (design: Subscriptions → plans). */
export class StorePurchaseService {
  private readonly database: Database
  private readonly customers: CustomerService
  private readonly payments: SubscriptionPaymentService
  private readonly trials: TrialService

  constructor(cradle: Services) {
    this.database = cradle.database
    this.customers = cradle.customerService
    this.payments = cradle.subscriptionPaymentService
    this.trials = cradle.trialService
  }

  /**
   * Records which subscriptions a cart's payment will begin, if any: the payment page shows them, and the shopper
   * agrees to these.
   */
  async plan(tenant: Tenant, transaction_id: string, request: PlanPurchase | null): Promise<void> {
    await this.write(tenant, transaction_id, request, async () => false)
  }

  /**
   * Compares again before money moves: CART_CHANGED when other subscriptions would begin than the page showed. Once
   * money is moving nothing changes any more.
   */
  async confirm(tenant: Tenant, transaction_id: string, request: PlanPurchase | null): Promise<void> {
    await this.write(tenant, transaction_id, request, async (sql, agreed) => {
      if (!sameTerms(agreed, request?.lines ?? [])) {
        throw new GatewayError("CART_CHANGED", messageOf("refusal.cart_plans_changed"))
      }
      if (request !== null) {
        await this.trials.claim(sql, tenant, trialsOf(request))
      }
      return true
    })
  }

  private async write(
    tenant: Tenant,
    transaction_id: string,
    request: PlanPurchase | null,
    check: (sql: Sql, agreed: readonly Agreed[]) => Promise<boolean>
  ): Promise<void> {
    await this.database.transaction(async (sql) => {
      const open = await sql.query("SELECT id FROM gateway_transaction WHERE id = $1 AND state = 'OPEN' FOR UPDATE", [
        transaction_id,
      ])
      if (open.length === 0) {
        return
      }
      const agreed = await sql.query<Agreed>(
        `SELECT ${AGREED_COLUMNS} FROM gateway_store_purchase WHERE transaction_id = $1`,
        [transaction_id]
      )
      const isClaimed = await check(sql, agreed)
      await sql.query("DELETE FROM gateway_store_purchase WHERE transaction_id = $1", [transaction_id])
      if (request === null) {
        return
      }
      await writePurchases(sql, tenant, transaction_id, request, isClaimed)
    })
  }

  /**
   * Begins the subscriptions of a paid cart, in the transaction that records its order; the order's payment settles the
   * first period of each. Idempotent. A refunded payment begins nothing.
   */
  async begin(sql: Sql, transaction_id: string, order_id: string): Promise<void> {
    const purchases = await sql.query<Purchase>(
      `SELECT ${PURCHASES.columns} FROM ${PURCHASES.tables} WHERE g.transaction_id = $1 AND g.subscription_id IS NULL ORDER BY g.line_item_id FOR UPDATE OF g`,
      [transaction_id]
    )
    if (purchases.length === 0) {
      return
    }
    const [payment] = await sql.query<PaymentRecord>(
      `SELECT ${PAYMENT_COLUMNS} FROM ${PAYMENT_TABLES} WHERE t.id = $1 FOR UPDATE OF t`,
      [transaction_id]
    )
    if (payment.state !== "SUCCESS") {
      return
    }
    const at = payment.verified_at ?? merchantNow(payment)
    for (const purchase of purchases) {
      await this.start(sql, purchase, { order_id, payment, at, time_zone: payment.time_zone })
    }
  }

  /** Begins the subscription of a line that has its order; the caller has locked the row. */
  async start(sql: Sql, purchase: Purchase, { order_id, payment, at, time_zone }: Bought): Promise<void> {
    const { merchant_id, environment, plan_id, variant_id, quantity, paid_minor } = purchase
    const scope = { merchant_id, environment, now: at }
    const { store_customer_id } = purchase
    const customer = await this.customers.getOrCreate(sql, scope, { ...purchase.customer, store_customer_id })
    const terms = { ...purchase, time_zone, trial_amount_minor: trialPrice(purchase) }
    const { next, emits } = begin(terms, at)
    const trial = await this.trials.ofLine(sql, scope, { ...purchase.customer, store_customer_id }, purchase)
    const id = await insertSubscription(sql, scope, next, {
      customer_id: customer.id,
      plan_id,
      currency: purchase.currency,
      meta_data: json({ order_id, variant_id, quantity }),
      idempotency_id: null,
      source: "store",
      store_order_id: order_id,
      store_variant_id: variant_id,
      ...trial,
    })
    const row = await findSubscription(sql, scope, String(id), "FOR UPDATE OF s")
    await emit(sql, subscriptionEvents(row, emits, at))
    await this.payments.paidByOrder(sql, row, payment, { amount_minor: paid_minor, lines: purchase.lines }, at)
    await sql.query(
      `UPDATE gateway_store_purchase SET subscription_id = $2, lock_token = NULL, locked_until = NULL, updated_at = now()
       WHERE id = $1`,
      [purchase.id, row.id]
    )
  }
}

/** What the trial of a line costs, in poisha: what its order paid for it. Null: it is free, or there is no trial. */
export function trialPrice({ paid_minor, trial_period_days }: Pick<PlanLine, "paid_minor" | "trial_period_days">) {
  return trial_period_days && paid_minor > 0 ? paid_minor : null
}

/** Whose trials a cart is about to begin, and of which plans. */
export function trialsOf({ cart_id, customer, store_customer_id, lines }: PlanPurchase) {
  const { email, phone_e164 } = customer
  const plans = lines.filter(({ trial_period_days }) => trial_period_days).map(({ plan_id }) => plan_id)
  return { cart_id, plans, email, phone_e164, store_customer_id }
}

/**
 * Writes what a cart will begin; `transaction_id` is null for a free cart. `isClaimed`: its trials are, in this
 * transaction. The caller has deleted former rows.
 */
export async function writePurchases(
  sql: Sql,
  { merchant_id, environment }: Tenant,
  transaction_id: string | null,
  { lines, cart_id, store_customer_id, customer, delivery_address }: PlanPurchase,
  isClaimed: boolean
): Promise<void> {
  const same = {
    merchant_id,
    environment,
    transaction_id,
    cart_id,
    store_customer_id,
    customer: json(customer),
    delivery_address: json(delivery_address),
  }
  const rows = lines.map((line) => ({
    ...line,
    ...same,
    lines: json(line.lines),
    id: newId("gsp"),
    trial_claimed_at: isClaimed && line.trial_period_days ? new Date() : null,
  }))
  const { source, values } = columnar(NEW, rows)
  const names = Object.keys(NEW)
  const read = names.map((name) => (JSON_COLUMNS.includes(name) ? `${name}::jsonb` : name))
  await sql.query(
    `INSERT INTO gateway_store_purchase (${names.join(", ")}) SELECT ${read.join(", ")} FROM ${source}`,
    values
  )
}

export function sameTerms(agreed: readonly Agreed[], lines: readonly Agreed[]): boolean {
  const text = ({ line_item_id, plan_id, quantity, ...terms }: Agreed) => {
    const { amount_minor, delivery_minor, trial_period_days, billing_cycles } = terms
    const members = [line_item_id, plan_id, quantity, amount_minor, delivery_minor, trial_period_days, billing_cycles]
    return JSON.stringify(members)
  }
  return JSON.stringify(agreed.map(text).sort()) === JSON.stringify(lines.map(text).sort())
}
