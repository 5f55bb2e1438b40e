import { GatewayError } from "../domain/errors"
import { newSessionId, subscriptionOrderId } from "../domain/ids"
import { openPeriod } from "../domain/standing"
import { customerDetails, descriptionOf, ownPage, type MerchantUrls } from "../automatic-payments"
import { amountDue, openRecord } from "../billing-records"
import type { Database } from "../database"
import { requireMayCharge } from "../permission-to-charge"
import { findSubscription } from "../subscription-records"
import type { Cradle, Scope } from "../types"
import type { CheckoutCreated, CheckoutService } from "./checkout"

/** Where the shopper goes afterwards; what is left out is the merchant's own setting, or the session's page. */
export type SubscriptionCheckoutWish = Partial<Record<keyof MerchantUrls, string>> & { metadata?: Record<string, unknown> }

/** Checkouts that pay a subscription's open period: ordinary sessions (contract 4.6; decisions: Plans). */
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
    wish: SubscriptionCheckoutWish,
    options: { publicUrl: string; idempotency_id?: string }
  ): Promise<CheckoutCreated> {
    const row = await findSubscription(this.database, scope, id)
    await requireMayCharge(this.database, scope, "subscriptions")
    if (row.status === "CANCELLED" || row.status === "EXPIRED") {
      throw new GatewayError("INVALID_STATE_TRANSITION", `subscription is ${row.status}: it cannot be paid any more`)
    }
    const [urls] = await this.database.query<MerchantUrls>(
      `SELECT success_url, fail_url, cancel_url, ipn_url FROM gateway_merchant_environment
       WHERE merchant_id = $1 AND environment = $2`,
      [scope.merchant_id, scope.environment]
    )
    const session_id = newSessionId()
    const own = ownPage(session_id, options.publicUrl)
    const order = {
      order_id: subscriptionOrderId(options.idempotency_id),
      currency: row.currency,
      amount: BigInt(amountDue(row, await openRecord(this.database, row))),
      description: descriptionOf(row),
      success_url: wish.success_url ?? urls.success_url ?? own,
      fail_url: wish.fail_url ?? urls.fail_url ?? own,
      cancel_url: wish.cancel_url ?? urls.cancel_url ?? own,
      ipn_url: wish.ipn_url ?? urls.ipn_url,
      customer: customerDetails(row),
      customer_phone: row.customer_phone ?? "",
      shipping: null,
      items: null,
      payment_info: { is_recurring: true },
      metadata: wish.metadata ?? null,
    }
    const { idempotency_id } = options
    return this.checkouts.create(scope, order, { subscription: { id: row.id, period: openPeriod(row) }, session_id, idempotency_id })
  }
}
