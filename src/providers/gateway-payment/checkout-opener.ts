import { readCheckoutRequest } from "./checkout-request"
import type { BigNumberInput } from "@medusajs/framework/types"
import { messageOf } from "../../i18n/message"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { SESSION_ID } from "../../modules/gateway/kernel/text/ids"
import type { Scope } from "../../modules/gateway/kernel/types"
import type { PaymentInfo } from "../../modules/gateway/acquirers/order"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import { type CartToPay, cartOfPaymentSession, paymentInfo } from "./cart"
import { checkoutOrder, currencyOf } from "./order"
import { planPurchaseOf, signInFirst } from "./plan-lines"
import { toMinor } from "./session"
import { type ProviderCradle, orderIdOf, originsOf, publicUrlOf } from "./store"

type OpenInput = {
  payment_session_id: string
  amount: BigNumberInput
  /** The Medusa customer of the request's session or token. Medusa keeps it for payment sessions that it recreates. */
  signed_in: string | null
  /** The customer who may use saved methods on the checkout; null: nobody. */
  holder: string | null
  /** Untrusted. */
  client_data: Record<string, unknown>
  /** The cart's advance alone, whose lines would add up to more. It is captured at once: cash cannot follow it. */
  is_advance?: boolean
}

type Choice = { return_url: string | null; payment_info: PaymentInfo | null }

const CHECKOUT_URL = /\/pay\/(ses_[A-Za-z0-9_-]{32})$/

/** Opens the gateway's checkout for a Medusa payment session. */
export class CheckoutOpener {
  constructor(private readonly cradle: ProviderCradle) {}

  /** The public address of this deployment, without a trailing slash. */
  get publicUrl(): string {
    return publicUrlOf(this.cradle.gateway)
  }

  /** The cart of a paid renewal needs no checkout: its payment session is bound to the charge that paid it. */
  async open(input: OpenInput): Promise<PaymentRecord> {
    const { payment_session_id, amount, signed_in, holder, client_data, is_advance = false } = input
    const { gateway, query } = this.cradle
    const minor = toMinor(amount)
    const cart = await cartOfPaymentSession(query, payment_session_id)
    await this.requireNoOrderOnItsWay(cart.id)
    const renewal = await gateway.cartCompletions.adopt(cart.id, payment_session_id, minor)
    if (renewal !== null) {
      return gateway.transactions.bySession(renewal)
    }
    const scope = await this.scope(currencyOf(cart))
    const choice = await this.choice(scope, cart, minor, client_data)
    // Refuses what cannot be paid before the shopper is sent anywhere.
    const purchase = await planPurchaseOf(query, gateway, scope, cart.id)
    // In Medusa, anybody who types a customer's e-mail address into a cart makes the cart that customer's.
    if (purchase !== null && purchase.store_customer_id !== signed_in) {
      throw signInFirst()
    }
    const order = checkoutOrder({
      order_id: await this.orderId(payment_session_id),
      amount: minor,
      cart,
      payment_session_id,
      own_return_url: `${this.publicUrl}/gateway/return`,
      payment_info: choice.payment_info,
    })
    const { return_url } = choice
    const reference = { cart_id: cart.id, payment_session_id, return_url, store_customer_id: holder }
    const asked = is_advance
      ? { ...order, items: null, payment_info: { ...order.payment_info, capture: "automatic" as const } }
      : order
    const { session_id } = await gateway.checkouts.create(scope, asked, { cart: reference })
    const record = await gateway.transactions.bySession(session_id)
    if (purchase !== null) {
      // If the process dies before this, the page shows no subscription terms; paying there is then CART_CHANGED.
      await gateway.storePurchases.plan(scope, record.transaction_id, purchase)
    }
    return record
  }

  /**
   * After a rollback Medusa makes a new payment session beside the one whose payment it keeps. It would take over the
   * checkout of a renewal, or be a second checkout of a cart that is paid. Throws INVALID_STATE_TRANSITION.
   */
  private async requireNoOrderOnItsWay(cart_id: string): Promise<void> {
    const { gateway, query } = this.cradle
    const completion = await gateway.cartCompletions.findWaiting(cart_id)
    if (completion === null || !gateway.cartCompletions.isTriedOtherwise(completion)) {
      return
    }
    const filters = { id: completion.payment_session_id ?? "" }
    const { data } = await query.graph({ entity: "payment_session", fields: ["id", "payment.id"], filters })
    if (data.some(({ payment }) => Boolean(payment))) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.order_on_its_way"))
    }
  }

  /**
   * The store's own merchant at the current moment of its clock (docs/decisions/13). Refuses a currency that none of
   * its payment services takes, before there is a checkout that nobody could pay.
   */
  private async scope(currency: string): Promise<Scope> {
    const { gateway } = this.cradle
    const { environment, storeMerchantName } = gateway.options
    const merchant = await gateway.merchants.storeMerchant(storeMerchantName)
    if (merchant.status === "suspended") {
      throw new GatewayError("MERCHANT_SUSPENDED")
    }
    const tenant = { merchant_id: merchant.id, environment }
    const { services } = await gateway.merchants.environment(tenant)
    if (!services.includes("checkout") || !(await gateway.hasAcquirer(tenant))) {
      throw new GatewayError("SERVICE_NOT_ENABLED")
    }
    if (!(await gateway.checkouts.takesCurrency(tenant, currency))) {
      throw new GatewayError(
        "SERVICE_NOT_ENABLED",
        messageOf("refusal.no_acquirer_of_currency", { currency, environment })
      )
    }
    return { ...tenant, now: (await gateway.clock.read(tenant)).now }
  }

  private async choice(scope: Scope, cart: CartToPay, amount: bigint, data: Record<string, unknown>): Promise<Choice> {
    const former = await this.former(cart, data.checkout_url)
    if (former !== null) {
      return former
    }
    const requested = readCheckoutRequest(data, originsOf(this.cradle))
    return {
      return_url: requested.return_url,
      payment_info: await paymentInfo(this.cradle.gateway, scope, requested, { amount, currency: currencyOf(cart) }),
    }
  }

  /**
   * When Medusa rolls a workflow back, it recreates a deleted payment session from its stored data. Only the address of
   * the former checkout then shows what the shopper requested; it counts only for its own cart.
   */
  private async former(cart: CartToPay, checkoutUrl: unknown): Promise<Choice | null> {
    const session_id = typeof checkoutUrl === "string" ? CHECKOUT_URL.exec(checkoutUrl)?.[1] : undefined
    if (session_id === undefined || !SESSION_ID.test(session_id)) {
      return null
    }
    try {
      const { cart_id, return_url, payment_info } = await this.cradle.gateway.transactions.bySession(session_id)
      return cart_id === cart.id ? { return_url, payment_info } : null
    } catch (error) {
      if (GatewayError.is(error) && error.code === "SESSION_NOT_FOUND") {
        return null
      }
      throw error
    }
  }

  /** The payment session's ULID; a second checkout of the same payment session gets `<ULID>-2`. */
  private async orderId(paymentSessionId: string): Promise<string> {
    const earlier = await this.cradle.gateway.checkouts.countOfPaymentSession(paymentSessionId)
    return orderIdOf(paymentSessionId, earlier)
  }
}
