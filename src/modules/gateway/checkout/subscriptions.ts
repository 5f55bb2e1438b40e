import { messageOf } from "../../../i18n/message"
import { GatewayError } from "../kernel/errors"
import { newSessionId, orderNumberOf, subscriptionOrderId } from "../kernel/text/ids"
import { openPeriod } from "../subscriptions/lifecycle"
import { customerDetails, descriptionOf, ownPage, type MerchantUrls } from "../subscriptions/order-rules"
import { requireToPay } from "../subscriptions/change-rules"
import { amountDue, openRecord } from "../subscriptions/billing/records"
import type { Database, Sql } from "../kernel/database/database"
import { requireMayCharge } from "../saved-methods/permission-to-charge"
import { findSubscription, type SubscriptionRow } from "../subscriptions/records"
import type { Cradle, Scope } from "../kernel/types"
import type { CheckoutCreated, CheckoutService } from "./service"
import { findUnpaid, merchantUrls } from "./unpaid"

/** Where the shopper goes afterwards; a missing URL falls back to the merchant's setting, or to the session's page. */
export type SubscriptionCheckoutRequest = Partial<Record<keyof MerchantUrls, string>> & {
  metadata?: Record<string, unknown>
}

type Options = { publicUrl: string; idempotency_id?: string }

type Due = { urls: MerchantUrls; amount_minor: number }

type MerchantPages = Required<Pick<SubscriptionCheckoutRequest, "success_url" | "fail_url" | "cancel_url">>

/** Opens checkouts that pay a subscription's open period: ordinary sessions (contract 4.6; decisions: Plans). */
export class SubscriptionCheckoutService {
  private readonly database: Database
  private readonly checkouts: CheckoutService

  constructor({ database, checkoutService }: Cradle & { checkoutService: CheckoutService }) {
    this.database = database
    this.checkouts = checkoutService
  }

  /** Errors: SUBSCRIPTION_NOT_FOUND; MERCHANT_SUSPENDED; SERVICE_NOT_ENABLED; INVALID_STATE_TRANSITION when there is nothing to pay: it has ended or ends before the open period, credits pay the period, or its terms are about to change. */
  async open(
    scope: Scope,
    id: string,
    request: SubscriptionCheckoutRequest,
    options: Options,
    sql: Sql = this.database
  ): Promise<CheckoutCreated> {
    const row = await findSubscription(sql, scope, id)
    const { urls, amount_minor } = await this.due(sql, scope, row)
    return this.make(sql, scope, row, { urls, amount_minor, request, options })
  }

  /** What the open period costs now, and where its checkout leads by the merchant's settings. Errors as of `open`. */
  private async due(sql: Sql, scope: Scope, row: SubscriptionRow): Promise<Due> {
    await requireMayCharge(sql, scope, "subscriptions")
    if (row.status === "CANCELLED" || row.status === "EXPIRED") {
      throw new GatewayError(
        "INVALID_STATE_TRANSITION",
        messageOf("refusal.subscription_not_payable", { state: row.status })
      )
    }
    const amount_minor = amountDue(row, await openRecord(sql, row))
    requireToPay(row, amount_minor, scope.now)
    return { urls: await merchantUrls(sql, scope), amount_minor }
  }

  private async make(
    sql: Sql,
    scope: Scope,
    row: SubscriptionRow,
    { urls, amount_minor, request, options }: Due & { request: SubscriptionCheckoutRequest; options: Options }
  ): Promise<CheckoutCreated> {
    const session_id = newSessionId()
    const own = ownPage(session_id, options.publicUrl)
    const order_id = subscriptionOrderId(options.idempotency_id)
    const order = {
      order_id,
      order_number: orderNumberOf(order_id),
      currency: row.currency,
      amount: BigInt(amount_minor),
      description: descriptionOf(row),
      success_url: request.success_url ?? urls.success_url ?? own,
      fail_url: request.fail_url ?? urls.fail_url ?? own,
      cancel_url: request.cancel_url ?? urls.cancel_url ?? own,
      ipn_url: request.ipn_url ?? urls.ipn_url,
      customer: customerDetails(row),
      customer_phone: row.customer_phone ?? "",
      shipping: null,
      items: null,
      payment_info: { is_recurring: true },
      metadata: request.metadata ?? null,
    }
    const { idempotency_id } = options
    const { interval_count, interval_unit } = row
    return this.checkouts.create(
      scope,
      order,
      {
        subscription: { id: row.id, period: openPeriod(row), interval_count, interval_unit },
        session_id,
        idempotency_id,
      },
      sql
    )
  }

  /**
   * Like `open`, for a link that anybody may follow any number of times. An earlier checkout is returned again when it
   * still asks for the amount that is due, for a period of the same length, and has time left. Errors as of `open`.
   */
  async openOnce(
    scope: Scope,
    id: string,
    request: MerchantPages,
    options: { publicUrl: string }
  ): Promise<{ session_id: string }> {
    return this.database.transaction(async (sql) => {
      const row = await findSubscription(sql, scope, id, "FOR UPDATE OF s")
      return this.openOrFind(sql, scope, row, request, options)
    })
  }

  /** `openOnce`, when `sql` holds the lock of the subscription's row already. */
  async openOrFind(
    sql: Sql,
    scope: Scope,
    row: SubscriptionRow,
    request: SubscriptionCheckoutRequest,
    options: { publicUrl: string }
  ): Promise<Pick<CheckoutCreated, "session_id" | "expires_at">> {
    const { urls, amount_minor } = await this.due(sql, scope, row)
    const success_url = request.success_url ?? urls.success_url
    const { interval_count, interval_unit } = row
    const offer = { period: openPeriod(row), interval_count, interval_unit }
    const open = await findUnpaid(sql, scope, row, { offer, amount_minor, success_url }, options)
    return open ?? this.make(sql, scope, row, { urls, amount_minor, request, options })
  }
}
