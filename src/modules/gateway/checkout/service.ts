import type { Language } from "../../../i18n/languages"
import { messageOf } from "../../../i18n/message"
import type { Interval } from "../kernel/money/calendar"
import { addSeconds } from "../kernel/money/clock"
import type { Lease } from "../kernel/database/due-work"
import { fault, GatewayError } from "../kernel/errors"
import { newSessionId, newTransactionId } from "../kernel/text/ids"
import { LIMITS } from "../kernel/limits"
import type { Minor } from "../kernel/money/money"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"
import type { CustomerDetails, OrderItem, PaymentInfo } from "../acquirers/order"
import type { EmiCheck } from "../emi/order-check"
import type { EmiService } from "../emi/service"
import { claimedBy, type Database, type Sql } from "../kernel/database/database"
import type { PaymentRecord } from "../payments/records"
import type { CaptureSettingService } from "../payments/captures/settings"
import type { TransactionService } from "../payments/transactions"
import type { Caller, Cradle, Scope, Tenant } from "../kernel/types"
import { repeatOrder } from "./repeated-orders"

/** A validated checkout order (contract 2.1); amounts in hundredths of its currency. */
export type CheckoutOrder = {
  order_id: string
  currency: string
  amount: Minor
  description: string | null
  success_url: string
  fail_url: string
  cancel_url: string
  ipn_url: string | null
  customer: CustomerDetails
  customer_phone: string
  shipping: Record<string, unknown> | null
  items: OrderItem[] | null
  payment_info: PaymentInfo | null
  metadata: Record<string, unknown> | null
  /** The shop's, in which the payment page opens; absent: not known. */
  language?: Language | null
  /** What people read as the order's number; absent: `order_id`. */
  order_number?: string | null
}

/**
 * Ties a checkout to a Medusa cart; absent for orders from the API. `store_customer_id`: who was signed in when the
 * payment provider asked for it, and so may use saved methods; null for guests.
 */
type CartReference = {
  cart_id: string
  payment_session_id: string
  return_url: string | null
  store_customer_id: string | null
}

/** The subscription and period that a checkout pays for, of the length that is offered; `id` is the row's own id. */
type SubscriptionReference = Interval & { id: string; period: number }

/** What a checkout belongs to besides its order, and how it is created. */
type CheckoutExtra = {
  cart?: CartReference
  subscription?: SubscriptionReference
  /** The subscription whose new payment method it verifies; its own id. The money is given back. */
  verifies?: string
  /** The payment link that it pays, and its place there; null: the link takes any number of payments. */
  link?: { id: string; place: number | null }
  session_id?: string
  idempotency_id?: string
  /** The merchant is compatible with shop modules: an order_id may be used again while it is unpaid. */
  repeatable?: boolean
}

/** Each time, another request has just replaced the order's session. */
const REPEAT_TRIES = 5

export type CheckoutCreated = { session_id: string; transaction_id: string; expires_at: Date }

/** One statement and one round trip: session and transaction exist together or not at all. */
const CREATE = `
  WITH session AS (
    INSERT INTO gateway_checkout_session
      (id, merchant_id, environment, order_id, currency, amount_minor, description, success_url, fail_url,
       cancel_url, ipn_url, customer, customer_phone, shipping, items, payment_info, metadata, source, cart_id,
       payment_session_id, return_url, store_customer_id, idempotency_id, subscription_id, subscription_period,
       interval_count, interval_unit, language, order_number, opened_at, expires_at)
    SELECT id, merchant_id, environment, order_id, currency, amount_minor, description, success_url, fail_url,
       cancel_url, ipn_url, customer, customer_phone, shipping, items, payment_info, metadata, source, cart_id,
       payment_session_id, return_url, store_customer_id, idempotency_id, subscription_id, subscription_period,
       interval_count, interval_unit, language, order_number, opened_at, expires_at
    FROM json_to_record($1::json) AS session (id text, merchant_id text, environment text, order_id text, currency text,
       amount_minor int, description text, success_url text, fail_url text, cancel_url text, ipn_url text,
       customer jsonb, customer_phone text, shipping jsonb, items jsonb, payment_info jsonb, metadata jsonb,
       source text, cart_id text, payment_session_id text, return_url text, store_customer_id text,
       idempotency_id text, subscription_id text, subscription_period int, interval_count int, interval_unit text,
       language text, order_number text, opened_at timestamptz, expires_at timestamptz)
    ON CONFLICT (merchant_id, environment, order_id) WHERE replaced_at IS NULL DO NOTHING
    RETURNING id, merchant_id, environment, order_id, currency, amount_minor, expires_at)
  INSERT INTO gateway_transaction
    (id, session_id, merchant_id, environment, order_id, currency, amount_minor, expires_at, link_id, link_place)
  SELECT $2, id, merchant_id, environment, order_id, currency, amount_minor, expires_at, $3, $4 FROM session
  RETURNING id`

type Services = Cradle &
  WithAcquirers & {
    captureSettingService: CaptureSettingService
    emiService: EmiService
    transactionService: TransactionService
  }

/** Opens checkout sessions and changes unpaid ones (contract 4.2; decisions: Checkout). */
export class CheckoutService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly captureSettings: CaptureSettingService
  private readonly emi: EmiService
  private readonly transactions: TransactionService

  constructor({ database, acquirerRegistry, captureSettingService, emiService, transactionService }: Services) {
    this.database = database
    this.acquirers = acquirerRegistry
    this.captureSettings = captureSettingService
    this.emi = emiService
    this.transactions = transactionService
  }

  /**
   * Checks what an order from the API asks of its merchant: a payment service that it has, and instalments that it can
   * have (see EmiService.checkOrder). The faults name the fields of the body. `amount` null: it could not be read.
   */
  async checkOrder(
    caller: Caller,
    { amount, info }: { amount: Minor | null; info: PaymentInfo | null }
  ): Promise<EmiCheck> {
    const id = info?.payment_service_id
    const isUnknown = id && !(await this.hasPaymentService(caller, id))
    const ofService = isUnknown ? [fault("payment_info.payment_service_id", messageOf("rule.merchants_service"))] : []
    const emi = await this.emi.checkOrder(caller, caller.services, amount, info, "payment_info.")
    const ofCapture = await this.captureSettings.checkOrder(caller, info)
    return { ...emi, failures: [...ofService, ...emi.failures, ...ofCapture] }
  }

  /**
   * Opens a session and its PENDING transaction. A used order_id is 409 DUPLICATE_TRANSACTION: the unique index
   * decides, so exactly one of any number of racing requests wins. When the request's idempotency record already has a
   * session (its answer was lost with a process), returns that session. `repeatable`: see `repeatOrder`.
   */
  async create(
    scope: Scope,
    order: CheckoutOrder,
    extra: CheckoutExtra = {},
    sql: Sql = this.database
  ): Promise<CheckoutCreated> {
    const created = await this.insert(scope, order, extra, sql)
    if (created !== null) {
      return created
    }
    return extra.repeatable === true
      ? this.repeat(scope, order, extra)
      : this.duplicate(scope, order.order_id, extra.idempotency_id)
  }

  /** Null: the order_id belongs to another session. */
  private async insert(
    scope: Scope,
    order: CheckoutOrder,
    extra: CheckoutExtra,
    sql: Sql
  ): Promise<CheckoutCreated | null> {
    const session_id = extra.session_id ?? newSessionId()
    const transaction_id = newTransactionId()
    const expires_at = addSeconds(scope.now, LIMITS.sessionLifeSeconds)
    const created = await sql.query(
      CREATE,
      [
        JSON.stringify(sessionRow(scope, session_id, order, extra, expires_at)),
        transaction_id,
        extra.link?.id ?? null,
        extra.link?.place ?? null,
      ],
      "gateway_checkout_create"
    )
    return created.length === 1 ? { session_id, transaction_id, expires_at } : null
  }

  private async repeat(scope: Scope, order: CheckoutOrder, extra: CheckoutExtra): Promise<CheckoutCreated> {
    return this.database.transaction(async (sql) => {
      for (let tried = 0; tried < REPEAT_TRIES; tried++) {
        const session =
          (await repeatOrder(sql, this.transactions, scope, { ...order, idempotency_id: extra.idempotency_id })) ??
          (await this.insert(scope, order, extra, sql))
        if (session !== null) {
          return session
        }
      }
      throw new GatewayError("DUPLICATE_TRANSACTION", messageOf("refusal.order_being_paid"), { field: "order_id" })
    })
  }

  /** Whether the merchant has this payment_service_id. */
  async hasPaymentService(scope: Scope, serviceId: number): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM gateway_payment_service
       WHERE merchant_id = $1 AND environment = $2 AND service_id = $3 AND is_active`,
      [scope.merchant_id, scope.environment, serviceId]
    )
    return rows.length === 1
  }
  /** Whether an active payment service of the merchant has an acquirer for the currency. */
  async takesCurrency(tenant: Tenant, currency: string): Promise<boolean> {
    const acquirers = await this.acquirers.of(tenant)
    const services = await this.database.query<{ code: string }>(
      "SELECT code FROM gateway_payment_service WHERE merchant_id = $1 AND environment = $2 AND is_active",
      [tenant.merchant_id, tenant.environment]
    )
    return services.some(({ code }) => acquirers.flowOf(code, currency) !== null)
  }

  /** How many checkouts a Medusa payment session has had. */
  async countOfPaymentSession(paymentSessionId: string): Promise<number> {
    const [{ count }] = await this.database.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM gateway_checkout_session WHERE payment_session_id = $1",
      [paymentSessionId]
    )
    return count
  }

  /** Changes the amount of an unpaid session to follow its cart (design: The store's side); a paid one is a 409. */
  async changeAmount(session_id: string, amount: Minor): Promise<void> {
    const changed = await this.database.query(
      `WITH paid AS (
         UPDATE gateway_transaction SET amount_minor = $2, updated_at = now()
         WHERE session_id = $1 AND state = 'OPEN' RETURNING session_id)
       UPDATE gateway_checkout_session s SET amount_minor = $2, updated_at = now()
       FROM paid WHERE s.id = paid.session_id RETURNING s.id`,
      [session_id, Number(amount)]
    )
    if (changed.length === 0) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.amount_being_paid"))
    }
  }

  /**
   * Sessions of carts that ended without money and whose Medusa payment session does not know it yet. A claim moves
   * the due time: it is a lease, and a killed process's claim comes up again.
   */
  async claimOutcomesToNotify(limit: number, lease: Lease): Promise<string[]> {
    const claimed = await this.database.query<{ id: string }>(
      `UPDATE gateway_checkout_session SET outcome_due_at = now() + $2 * interval '1 second'
       WHERE id ${claimedBy(`SELECT id FROM gateway_checkout_session WHERE outcome_due_at <= now()
                    ORDER BY outcome_due_at LIMIT $1 FOR UPDATE SKIP LOCKED`)}
       RETURNING id`,
      [limit, lease.seconds]
    )
    return claimed.map(({ id }) => id)
  }

  async outcomeNotified(session_id: string): Promise<void> {
    await this.database.query(
      "UPDATE gateway_checkout_session SET outcome_due_at = NULL, updated_at = now() WHERE id = $1",
      [session_id]
    )
  }

  private async duplicate(scope: Scope, orderId: string, idempotencyId?: string): Promise<CheckoutCreated> {
    const [existing] = await this.database.query<CheckoutCreated & { idempotency_id: string | null }>(
      `SELECT s.id AS session_id, t.id AS transaction_id, s.expires_at, s.idempotency_id
       FROM gateway_checkout_session s JOIN gateway_transaction t ON t.session_id = s.id
       WHERE s.merchant_id = $1 AND s.environment = $2 AND s.order_id = $3 AND s.replaced_at IS NULL`,
      [scope.merchant_id, scope.environment, orderId]
    )
    if (existing !== undefined && idempotencyId !== undefined && existing.idempotency_id === idempotencyId) {
      return existing
    }
    throw new GatewayError("DUPLICATE_TRANSACTION", undefined, { field: "order_id" })
  }
}

/** The session's row by its columns' names, as JSON: undefined is NULL. */
function sessionRow(scope: Scope, id: string, order: CheckoutOrder, extra: CheckoutExtra, expires_at: Date): object {
  const { amount, ...ordered } = order
  const { cart, subscription, verifies, idempotency_id } = extra
  return {
    ...ordered,
    ...cart,
    id,
    merchant_id: scope.merchant_id,
    environment: scope.environment,
    amount_minor: Number(amount),
    source: sourceOf(extra),
    idempotency_id,
    subscription_id: subscription?.id ?? verifies,
    subscription_period: subscription?.period,
    interval_count: subscription?.interval_count,
    interval_unit: subscription?.interval_unit,
    opened_at: scope.now,
    expires_at,
  }
}

function sourceOf({ cart, verifies }: CheckoutExtra): PaymentRecord["source"] {
  return verifies !== undefined ? "verification" : cart === undefined ? "api" : "cart"
}
