import { messageOf } from "../../../i18n/message"
import type { Database, Sql } from "../kernel/database/database"
import { GatewayError } from "../kernel/errors"
import { newSessionId, verificationOrderId } from "../kernel/text/ids"
import type { Cradle, Scope } from "../kernel/types"
import type { AcquirerRegistry, WithAcquirers } from "../acquirers/registry"
import { usableFor, type PaymentServiceRow } from "../payments/payment-choice"
import { requireMayCharge } from "../saved-methods/permission-to-charge"
import { customerDetails, descriptionOf, ownPage } from "../subscriptions/order-rules"
import { findSubscription, type SubscriptionRow } from "../subscriptions/records"
import { methodChangeOf, verificationAmount, type MethodChange } from "../subscriptions/verification-rules"
import type { CheckoutCreated, CheckoutService } from "./service"
import type { SubscriptionCheckoutRequest, SubscriptionCheckoutService } from "./subscriptions"
import { findUnpaid, merchantUrls } from "./unpaid"

/** `change`: what the payment of the checkout does. */
export type MethodChangeCheckout = Pick<CheckoutCreated, "session_id" | "expires_at"> & { change: MethodChange }

const VERIFICATION = {
  source: "verification",
  subscription_id: null,
  payment_info: null,
  merchant_capture: "automatic",
} as const

/** Opens the page on which a customer changes the payment method of a subscription (docs/decisions/18). */
export class MethodChangeService {
  private readonly database: Database
  private readonly acquirers: AcquirerRegistry
  private readonly checkouts: CheckoutService
  private readonly periods: SubscriptionCheckoutService

  constructor(
    cradle: Cradle &
      WithAcquirers & { checkoutService: CheckoutService; subscriptionCheckoutService: SubscriptionCheckoutService }
  ) {
    this.database = cradle.database
    this.acquirers = cradle.acquirerRegistry
    this.checkouts = cradle.checkoutService
    this.periods = cradle.subscriptionCheckoutService
  }

  /**
   * While a period is owed, its payment changes the method; otherwise a verification does, which costs nothing. Pressed
   * twice it leads to one checkout. Errors: SUBSCRIPTION_NOT_FOUND; INVALID_STATE_TRANSITION once the subscription has
   * ended; MERCHANT_SUSPENDED; SERVICE_NOT_ENABLED, also when no acquirer of the merchant keeps payment methods.
   */
  async open(
    scope: Scope,
    id: string,
    request: SubscriptionCheckoutRequest,
    options: { publicUrl: string }
  ): Promise<MethodChangeCheckout> {
    return this.database.transaction(async (sql) => {
      const row = await findSubscription(sql, scope, id, "FOR UPDATE OF s")
      const change = methodChangeOf(row.status)
      if (change === null) {
        const reason = messageOf("refusal.subscription_not_payable", { state: row.status })
        throw new GatewayError("INVALID_STATE_TRANSITION", reason)
      }
      const opened =
        change === "pay"
          ? await this.periods.openOrFind(sql, scope, row, request, options)
          : await this.verify(sql, scope, row, request, options)
      return { ...opened, change }
    })
  }

  /** `sql` holds the subscription's lock. */
  private async verify(
    sql: Sql,
    scope: Scope,
    row: SubscriptionRow,
    request: SubscriptionCheckoutRequest,
    { publicUrl }: { publicUrl: string }
  ): Promise<Pick<CheckoutCreated, "session_id" | "expires_at">> {
    await requireMayCharge(sql, scope, "subscriptions")
    await this.requireKeeping(sql, row)
    const session_id = newSessionId()
    const settings = await merchantUrls(sql, scope)
    const own = ownPage(session_id, publicUrl)
    const amount = verificationAmount(row.currency)
    const success_url = request.success_url ?? settings.success_url
    const wanted = { offer: null, amount_minor: Number(amount), success_url }
    const known = await findUnpaid(sql, scope, row, wanted, { publicUrl })
    if (known !== null) {
      return known
    }
    const order = {
      order_id: verificationOrderId(),
      currency: row.currency,
      amount,
      description: descriptionOf(row),
      success_url: success_url ?? own,
      fail_url: request.fail_url ?? settings.fail_url ?? own,
      cancel_url: request.cancel_url ?? settings.cancel_url ?? own,
      ipn_url: null,
      customer: customerDetails(row),
      customer_phone: row.customer_phone ?? "",
      shipping: null,
      items: null,
      payment_info: { is_recurring: true },
      metadata: null,
    }
    return this.checkouts.create(scope, order, { verifies: row.id, session_id }, sql)
  }

  /** Otherwise the money would move for nothing. */
  private async requireKeeping(sql: Sql, row: SubscriptionRow): Promise<void> {
    const acquirers = await this.acquirers.of(row, sql)
    const services = await sql.query<PaymentServiceRow>(
      `SELECT service_id, code, name, kind, fee_basis_points, fee_fixed_minor, supports_refunds, capture
       FROM gateway_payment_service WHERE merchant_id = $1 AND environment = $2 AND is_active`,
      [row.merchant_id, row.environment]
    )
    const usable = usableFor(VERIFICATION, services, acquirers)
    if (!usable.some(({ code }) => acquirers.flowOf(code, row.currency) !== null)) {
      throw new GatewayError("SERVICE_NOT_ENABLED")
    }
  }
}
