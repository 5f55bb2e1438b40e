import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../i18n/message"
import type { CheckoutOrder } from "../../../modules/gateway/checkout/service"
import { GatewayError } from "../../../modules/gateway/kernel/errors"
import { formatAmount, type Minor } from "../../../modules/gateway/kernel/money"
import { isAllZeros, normalisePhone } from "../../../modules/gateway/kernel/phone"
import { gatewayProviderId } from "../../../modules/gateway/kernel/provider-id"
import type { RemotePayment } from "../../../modules/gateway/payments/remote-payments"
import { cartOfPaymentSession } from "../cart"
import { checkoutOrder, requireHomeCurrency } from "../order"
import { orderIdOf, originsOf, publicUrlOf, type ProviderCradle } from "../store"
import { readCheckoutRequest } from "../checkout-request"
import { preselection, requestedService } from "../payment-info"
import type { RemoteGateway } from "./client"
import { demand } from "./demand"
import type { ParsedRemoteOptions } from "./options"

export type RemoteOpenInput = {
  payment_session_id: string
  /** The payment session's current checkout, which has ended in the other deployment. */
  replaces?: RemotePayment
  amount: Minor
  /** Untrusted. */
  client_data: Record<string, unknown>
}

/** Opens a checkout in another deployment for a Medusa payment session of this one. */
export class RemoteCheckoutOpener {
  constructor(
    private readonly cradle: ProviderCradle,
    private readonly remote: RemoteGateway,
    private readonly options: Pick<ParsedRemoteOptions, "id" | "ipnSecret">
  ) {}

  /** Stores the payment session before it requests the checkout, and binds the transaction of the answer to it. */
  async open({ payment_session_id, replaces, amount, client_data }: RemoteOpenInput): Promise<RemotePayment> {
    const { gateway, query } = this.cradle
    const publicUrl = publicUrlOf(gateway)
    const cart = await cartOfPaymentSession(query, payment_session_id)
    requireHomeCurrency(cart)
    const requested = readCheckoutRequest(client_data, originsOf(this.cradle))
    const order_id = orderIdOf(payment_session_id, await gateway.remotePayments.countOf(payment_session_id))
    const order = checkoutOrder({
      order_id,
      amount,
      cart,
      payment_session_id,
      own_return_url: `${publicUrl}/gateway/remote/return`,
      // The other deployment checks whether the merchant has it.
      payment_info: preselection(requestedService(requested), requested),
    })
    requireReachable(order)
    const ipn_url =
      this.options.ipnSecret === undefined ? null : `${publicUrl}/hooks/payment/gateway_${this.options.id}`
    const { id } = await gateway.remotePayments.reserve({
      provider_id: gatewayProviderId(this.options.id),
      payment_session_id,
      order_id,
      amount,
      currency: order.currency,
      return_url: requested.return_url,
      replaces: replaces?.id ?? null,
    })
    const opened = demand(
      await this.remote.checkout(wireOrder({ ...order, ipn_url }), `checkout:${order_id}`),
      "checkout"
    )
    return gateway.remotePayments.bind(id, opened)
  }
}

const EMAIL = z.email().max(254)

/**
 * The contract requires an e-mail address and a phone number that are valid (2.2); a store need not ask for them. Refused
 * here, the message says what the shopper has to enter. Whether zeros are a number is the other deployment's setting.
 */
export function requireReachable({ customer }: Pick<CheckoutOrder, "customer">): void {
  if (!EMAIL.safeParse(customer.email).success) {
    throw new GatewayError("INVALID_EMAIL", messageOf("refusal.remote_email"))
  }
  if (normalisePhone(customer.phone) === null && !isAllZeros(customer.phone)) {
    throw new GatewayError("INVALID_PHONE", messageOf("refusal.remote_phone"))
  }
}

/** A checkout order in the contract's format (2.1). */
export function wireOrder({
  amount,
  description,
  customer_phone: _phone,
  items,
  language,
  order_number,
  ...order
}: CheckoutOrder): Record<string, unknown> {
  const payment_info = language ? { ...order.payment_info, language } : order.payment_info
  return {
    ...order,
    payment_info,
    order_amount: formatAmount(amount),
    // The other deployment knows our order_id alone; the words say what the shop calls it.
    order_description: description ?? (order_number ? `Order ${order_number}` : null),
    order_items: items,
  }
}
