import { messageOf } from "../../../i18n/message"
import { addSeconds } from "../kernel/clock"
import { GatewayError } from "../kernel/errors"
import { newSessionId, subscriptionOrderId } from "../kernel/ids"
import { openPeriod } from "../subscriptions/state"
import { customerDetails, descriptionOf, ownPage, type MerchantUrls } from "../subscriptions/billing/automatic-payments"
import { amountDue, openRecord } from "../subscriptions/billing/records"
import type { Database, Sql } from "../kernel/database"
import { requireMayCharge } from "../payments/permission-to-charge"
import { findSubscription } from "../subscriptions/records"
import type { Cradle, Scope } from "../kernel/types"
import type { CheckoutCreated, CheckoutService } from "./service"

/** Where the shopper goes afterwards; a missing URL falls back to the merchant's setting, or to the session's page. */
export type SubscriptionCheckoutRequest = Partial<Record<keyof MerchantUrls, string>> & {
  metadata?: Record<string, unknown>
}

type MerchantPages = Required<Pick<SubscriptionCheckoutRequest, "success_url" | "fail_url" | "cancel_url">>

/** A checkout with less time left than this is not reused for somebody who only begins to pay. */
const TIME_TO_PAY_SECONDS = 600

/** Opens checkouts that pay a subscription's open period: ordinary sessions (contract 4.6; decisions: Plans). */
export class SubscriptionCheckoutService {
  private readonly database: Database
  private readonly checkouts: CheckoutService

  constructor({ database, checkoutService }: Cradle & { checkoutService: CheckoutService }) {
    this.database = database
    this.checkouts = checkoutService
  }

  /** Errors: SUBSCRIPTION_NOT_FOUND; MERCHANT_SUSPENDED; SERVICE_NOT_ENABLED; INVALID_STATE_TRANSITION once it has been cancelled or has expired. */
  async open(
    scope: Scope,
    id: string,
    request: SubscriptionCheckoutRequest,
    options: { publicUrl: string; idempotency_id?: string },
    sql: Sql = this.database
  ): Promise<CheckoutCreated> {
    const row = await findSubscription(sql, scope, id)
    await requireMayCharge(sql, scope, "subscriptions")
    if (row.status === "CANCELLED" || row.status === "EXPIRED") {
      throw new GatewayError(
        "INVALID_STATE_TRANSITION",
        messageOf("refusal.subscription_not_payable", { state: row.status })
      )
    }
    const [urls] = await sql.query<MerchantUrls>(
      `SELECT success_url, fail_url, cancel_url, ipn_url FROM gateway_merchant_environment
       WHERE merchant_id = $1 AND environment = $2`,
      [scope.merchant_id, scope.environment]
    )
    const session_id = newSessionId()
    const own = ownPage(session_id, options.publicUrl)
    const order = {
      order_id: subscriptionOrderId(options.idempotency_id),
      currency: row.currency,
      amount: BigInt(amountDue(row, await openRecord(sql, row))),
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
   * still asks for the amount that is due, for a period of the same length, and has time left. The subscription's row
   * is locked, so that concurrent requests find one checkout. Errors as of `open`.
   */
  async openOnce(
    scope: Scope,
    id: string,
    request: MerchantPages,
    options: { publicUrl: string }
  ): Promise<{ session_id: string }> {
    return this.database.transaction(async (sql) => {
      const row = await findSubscription(sql, scope, id, "FOR UPDATE OF s")
      const amount = amountDue(row, await openRecord(sql, row))
      const [open] = await sql.query<{ session_id: string }>(
        `SELECT s.id AS session_id FROM gateway_checkout_session s JOIN gateway_transaction t ON t.session_id = s.id
         WHERE s.subscription_id = $1 AND s.subscription_period = $2 AND s.success_url = $3 AND t.state = 'OPEN'
           AND t.amount_minor = $4 AND t.expires_at > $5 AND s.interval_count = $6 AND s.interval_unit = $7
         ORDER BY t.expires_at DESC LIMIT 1`,
        [
          row.id,
          openPeriod(row),
          request.success_url,
          amount,
          addSeconds(scope.now, TIME_TO_PAY_SECONDS),
          row.interval_count,
          row.interval_unit,
        ]
      )
      return open ?? this.open(scope, id, request, options, sql)
    })
  }
}
