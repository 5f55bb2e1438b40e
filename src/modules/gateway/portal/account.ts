import type { By, Origin } from "../kernel/database/audit"
import { clockNow } from "../kernel/money/clock"
import type { Database } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { publicId } from "../kernel/text/ids"
import type { Cradle, Scope } from "../kernel/types"
import type { MethodChangeCheckout, MethodChangeService } from "../checkout/method-changes"
import { findInvoice, INVOICE_TABLES, INVOICE_VIEW_COLUMNS, type InvoiceView } from "../invoices/records"
import type { MerchantService } from "../merchants/service"
import type { MethodOwner } from "../saved-methods/rules"
import type { OwnMethod, SavedMethodService } from "../saved-methods/service"
import { WAITING_MINOR } from "../payments/records"
import { DESCRIPTION_IN_BANGLA, type Description } from "../plans/rules"
import type { Plan, PlanService } from "../plans/service"
import type { TransactionState } from "../payments/states"
import { offeredReasons } from "../subscriptions/cancellation-rules"
import type { Cancellation } from "../subscriptions/lifecycle"
import { amountDue, openRecord } from "../subscriptions/billing/records"
import { SUBSCRIPTION_COLUMNS, SUBSCRIPTION_TABLES, type SubscriptionRow } from "../subscriptions/records"
import type { ChangePreview, SubscriptionChangeService } from "../subscriptions/changes"
import type { SubscriptionService } from "../subscriptions/service"
import type { StoreSubscriptionService } from "../subscriptions/store/subscriptions"
import type { PortalSession } from "./records"
import { offeredPlans, wantedOf, type PlanSwitch } from "./rules"

/** What may be shown of the method that a subscription is charged with. */
export type ChargedMethod = {
  method: string
  service: string
  brand: string | null
  last_four: string | null
  account: string | null
  expiry_month: number | null
  expiry_year: number | null
}

/** A subscription as its customer sees it. `payment_under_way`: of a payment whose outcome is not known yet. */
export type PortalSubscription = SubscriptionRow & {
  instrument: ChargedMethod | null
  payment_under_way: boolean
}

/** With what its open period costs, in hundredths of the currency. */
export type OpenedSubscription = PortalSubscription & { amount_due: number }

const SHOWN_STATES = [
  "PROCESSING",
  "HELD",
  "AUTHORIZED",
  "SUCCESS",
  "REFUNDED",
] as const satisfies readonly TransactionState[]
type ShownState = (typeof SHOWN_STATES)[number]

/** A payment that has taken money, or may still; amounts in hundredths of its currency. */
export type PortalPayment = Description & {
  transaction_id: string
  state: ShownState
  source: "api" | "cart" | "billing" | "verification" | "order"
  amount_minor: number
  refunded_minor: number
  currency: string
  /** On the merchant's clock; null: its outcome is not known yet. */
  paid_at: Date | null
  opened_at: Date
}

type Page = { limit: number; offset: number }
type Part<Row> = { rows: Row[]; total: number }

/** What belongs to a session: `$1` merchant, `$2` environment, `$3` billed customer, `$4` customer of the store. */
const OWN_SUBSCRIPTIONS = `
  SELECT o.id FROM gateway_subscription o WHERE o.merchant_id = $1 AND o.environment = $2 AND o.customer_id = $3
  UNION
  SELECT g.subscription_id FROM gateway_store_purchase g
  WHERE g.merchant_id = $1 AND g.environment = $2 AND g.store_customer_id = $4 AND g.subscription_id IS NOT NULL`

const COLUMNS = `${SUBSCRIPTION_COLUMNS},
  CASE WHEN i.id IS NOT NULL THEN jsonb_build_object('method', i.method, 'service', i.service, 'brand', i.brand,
    'last_four', i.last_four, 'account', i.account, 'expiry_month', i.expiry_month, 'expiry_year', i.expiry_year) END AS instrument,
  s.awaiting_transaction_id IS NOT NULL AS payment_under_way`

const TABLES = `${SUBSCRIPTION_TABLES}
  LEFT JOIN gateway_instrument i ON i.id = s.instrument_id`

const OWN_PAYMENTS = `t.state IN ('PROCESSING', 'HELD', 'AUTHORIZED', 'SUCCESS', 'REFUNDED') AND t.id IN (
  SELECT x.id FROM gateway_checkout_session y JOIN gateway_transaction x ON x.session_id = y.id
  WHERE y.subscription_id IN (${OWN_SUBSCRIPTIONS})
  UNION
  SELECT r.transaction_id FROM gateway_billing_record r
  WHERE r.subscription_id IN (${OWN_SUBSCRIPTIONS}) AND r.transaction_id IS NOT NULL)`

/** Customers have few subscriptions: more than these are not shown. */
const SUBSCRIPTIONS_SHOWN = 100

type Services = Cradle & {
  merchantService: MerchantService
  methodChangeService: MethodChangeService
  planService: PlanService
  savedMethodService: SavedMethodService
  storeSubscriptionService: StoreSubscriptionService
  subscriptionChangeService: SubscriptionChangeService
  subscriptionService: SubscriptionService
}

/**
 * What the customer of a portal session may see and do: only what is their own, by the rules and services of the API
 * (docs/decisions/18). Another customer's ids are as unknown as invented ones.
 */
export class PortalAccountService {
  private readonly database: Database
  private readonly changes: MethodChangeService
  private readonly merchants: MerchantService
  private readonly methods: SavedMethodService
  private readonly plans: PlanService
  private readonly subscriptions: SubscriptionService
  private readonly switches: SubscriptionChangeService
  private readonly goods: StoreSubscriptionService

  constructor(cradle: Services) {
    this.database = cradle.database
    this.changes = cradle.methodChangeService
    this.merchants = cradle.merchantService
    this.methods = cradle.savedMethodService
    this.plans = cradle.planService
    this.subscriptions = cradle.subscriptionService
    this.switches = cradle.subscriptionChangeService
    this.goods = cradle.storeSubscriptionService
  }

  /** Those that run first, newest first. */
  async listSubscriptions(session: PortalSession): Promise<PortalSubscription[]> {
    return this.database.query<PortalSubscription>(
      `SELECT ${COLUMNS} FROM ${TABLES} WHERE s.id IN (${OWN_SUBSCRIPTIONS})
       ORDER BY s.status IN ('CANCELLED', 'EXPIRED'), s.number DESC LIMIT $5`,
      [...ownerOf(session), SUBSCRIPTIONS_SHOWN]
    )
  }

  /** By the uuid; throws SUBSCRIPTION_NOT_FOUND, for other customers' too. */
  async subscription(session: PortalSession, id: string): Promise<OpenedSubscription> {
    const named = publicId(id)
    const [row] =
      named?.column !== "uuid"
        ? []
        : await this.database.query<PortalSubscription>(
            `SELECT ${COLUMNS} FROM ${TABLES} WHERE s.id IN (${OWN_SUBSCRIPTIONS}) AND s.uuid = $5`,
            [...ownerOf(session), named.value]
          )
    if (row === undefined) {
      throw new GatewayError("SUBSCRIPTION_NOT_FOUND")
    }
    return { ...row, amount_due: amountDue(row, await openRecord(this.database, row)) }
  }

  /** Errors: SUBSCRIPTION_NOT_FOUND, INVALID_STATE_TRANSITION. */
  async pause(session: PortalSession, id: string, origin: Origin): Promise<void> {
    const { id: own } = await this.subscription(session, id)
    await this.subscriptions.pause(actingScope(session, origin), own)
  }

  /** Errors: SUBSCRIPTION_NOT_FOUND, INVALID_STATE_TRANSITION. */
  async resume(session: PortalSession, id: string, origin: Origin): Promise<void> {
    const { id: own } = await this.subscription(session, id)
    await this.subscriptions.resume(actingScope(session, origin), own)
  }

  /**
   * Cancels at the end of the paid period, or now when nothing is paid. Errors: SUBSCRIPTION_NOT_FOUND,
   * INVALID_STATE_TRANSITION.
   */
  async cancel(
    session: PortalSession,
    id: string,
    why: Omit<Cancellation, "atPeriodEnd">,
    origin: Origin
  ): Promise<void> {
    const { id: own } = await this.subscription(session, id)
    await this.subscriptions.cancel(actingScope(session, origin), own, { atPeriodEnd: true, ...why })
  }

  /** Undoes a cancellation until it takes effect. Errors: SUBSCRIPTION_NOT_FOUND, INVALID_STATE_TRANSITION. */
  async uncancel(session: PortalSession, id: string, origin: Origin): Promise<void> {
    await this.subscriptions.uncancel(actingScope(session, origin), (await this.subscription(session, id)).id)
  }

  /** The plans that the subscription may be switched to, with what it costs on each. */
  async plansFor(session: PortalSession, subscription: PortalSubscription): Promise<(Plan & { quantity: number })[]> {
    const { source, plan_id, quantity } = subscription
    if (source === "store") {
      return this.goods.plansFor(subscription)
    }
    return offeredPlans(plan_id === null ? [] : await this.plans.relatives(session, plan_id), quantity)
  }

  /** What a switch to a plan of the family would cost. Errors as of SubscriptionChangeService. */
  async previewSwitch(session: PortalSession, id: string, to: PlanSwitch): Promise<ChangePreview> {
    return this.switches.preview(scopeOf(session), (await this.subscription(session, id)).id, wantedOf(to))
  }

  /** Switches to a plan of the family, now or with the next period. Errors as of SubscriptionChangeService. */
  async switchPlan(session: PortalSession, id: string, to: PlanSwitch, origin: Origin): Promise<void> {
    await this.switches.change(actingScope(session, origin), (await this.subscription(session, id)).id, wantedOf(to))
  }

  /** Takes a scheduled switch back. Errors: SUBSCRIPTION_NOT_FOUND. */
  async keepPlan(session: PortalSession, id: string, origin: Origin): Promise<void> {
    await this.switches.takeBack(actingScope(session, origin), (await this.subscription(session, id)).id)
  }

  /** What the merchant's customers choose from who cancel. */
  async cancellationReasons(session: PortalSession): Promise<readonly string[]> {
    return offeredReasons((await this.merchants.environment(session)).cancellation_reasons)
  }

  /** The checkout that changes the payment method and leads back to `returnUrl`. Errors as of MethodChangeService. */
  async changeMethod(
    session: PortalSession,
    id: string,
    { returnUrl, publicUrl }: { returnUrl: string; publicUrl: string }
  ): Promise<MethodChangeCheckout> {
    const { id: own } = await this.subscription(session, id)
    const urls = { success_url: returnUrl, fail_url: returnUrl, cancel_url: returnUrl }
    return this.changes.open(scopeOf(session), own, urls, { publicUrl })
  }

  /** Newest first; void invoices ask for nothing, and are left out. */
  async listInvoices(session: PortalSession, { limit, offset }: Page): Promise<Part<InvoiceView>> {
    const where = `i.subscription_id IN (${OWN_SUBSCRIPTIONS}) AND i.status <> 'VOID'`
    const owner = ownerOf(session)
    const [{ total }] = await this.database.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM gateway_invoice i WHERE ${where}`,
      owner
    )
    const rows = await this.database.query<InvoiceView>(
      `SELECT ${INVOICE_VIEW_COLUMNS} FROM ${INVOICE_TABLES} WHERE ${where} ORDER BY i.number DESC LIMIT $5 OFFSET $6`,
      [...owner, limit, offset]
    )
    return { rows, total }
  }

  /** By the uuid; throws INVOICE_NOT_FOUND, for other customers' too. */
  async invoice(session: PortalSession, id: string): Promise<InvoiceView> {
    const named = publicId(id)
    if (named?.column !== "uuid") {
      throw new GatewayError("INVOICE_NOT_FOUND")
    }
    const where = `i.subscription_id IN (${OWN_SUBSCRIPTIONS}) AND i.uuid = $5`
    return findInvoice(this.database, where, [...ownerOf(session), named.value])
  }

  /** Payments of the customer's subscriptions, newest first. */
  async listPayments(session: PortalSession, { limit, offset }: Page): Promise<Part<PortalPayment>> {
    const owner = ownerOf(session)
    const [{ total }] = await this.database.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM gateway_transaction t WHERE ${OWN_PAYMENTS}`,
      owner
    )
    const rows = await this.database.query<Omit<PortalPayment, "state"> & { state: TransactionState }>(
      `SELECT t.id AS transaction_id, t.state, s.source, t.amount_minor, t.currency, s.description, ${DESCRIPTION_IN_BANGLA},
         t.refunded_minor - ${WAITING_MINOR} AS refunded_minor, t.verified_at AS paid_at, s.opened_at
       FROM gateway_transaction t JOIN gateway_checkout_session s ON s.id = t.session_id
       WHERE ${OWN_PAYMENTS} ORDER BY s.opened_at DESC, t.id DESC LIMIT $5 OFFSET $6`,
      [...owner, limit, offset]
    )
    const shown = rows.flatMap((row) =>
      SHOWN_STATES.filter((state) => state === row.state).map((state) => ({ ...row, state }))
    )
    return { rows: shown, total }
  }

  async listMethods(session: PortalSession): Promise<OwnMethod[]> {
    return this.methods.list(methodOwner(session))
  }

  /** Errors: PAYMENT_METHOD_NOT_FOUND, for other customers' too; PAYMENT_METHOD_IN_USE. */
  async removeMethod(session: PortalSession, id: string, origin: Origin): Promise<void> {
    await this.methods.remove({ ...methodOwner(session), ...actingScope(session, origin) }, id)
  }
}

function ownerOf({ merchant_id, environment, customer_id, store_customer_id }: PortalSession): unknown[] {
  return [merchant_id, environment, customer_id, store_customer_id]
}

function methodOwner({ merchant_id, environment, customer_id, store_customer_id }: PortalSession): MethodOwner {
  return { merchant_id, environment, customer_id, store_customer_id }
}

/** The merchant's clock decides what is due; only the session itself runs on real time. */
function scopeOf({ merchant_id, environment, clock_offset_seconds }: PortalSession): Scope {
  return { merchant_id, environment, now: clockNow(new Date(), clock_offset_seconds) }
}

/** The audit log names the customer: by the row of a billed customer, or by Medusa's id of one of the store. */
function actingScope(session: PortalSession, origin: Origin): Scope & By {
  const id = session.customer_id ?? session.store_customer_id ?? ""
  return { ...scopeOf(session), actor: { type: "customer", id, origin } }
}
