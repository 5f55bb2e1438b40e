import type { CheckoutOrder } from "../../../modules/gateway/checkout/service"
import { formatAmount, type Minor } from "../../../modules/gateway/kernel/money"
import type { PaymentInfo } from "../../../modules/gateway/payments/order"
import type { RemotePayment } from "../../../modules/gateway/payments/remote-payments"
import { cartOfPaymentSession } from "../cart"
import { checkoutOrder, requireHomeCurrency } from "../order"
import { orderIdOf, originsOf, publicUrlOf, type ProviderCradle } from "../store"
import { readCheckoutRequest, type CheckoutRequest } from "../checkout-request"
import { requestedService } from "../payment-info"
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
      payment_info: requestedPaymentInfo(requested),
    })
    const ipn_url =
      this.options.ipnSecret === undefined ? null : `${publicUrl}/hooks/payment/gateway_${this.options.id}`
    const { id } = await gateway.remotePayments.reserve({
      provider_id: `pp_gateway_${this.options.id}`,
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

/** The storefront's preselection; the other deployment checks whether the merchant has it. */
function requestedPaymentInfo(requested: CheckoutRequest): PaymentInfo | null {
  const payment_service_id = requestedService(requested)
  const { emi_configuration_id } = requested
  if (payment_service_id === null && emi_configuration_id === null) {
    return null
  }
  return {
    ...(payment_service_id === null ? {} : { payment_service_id }),
    // Only a preselection, as with the local provider: on the payment page the shopper may still choose another way.
    ...(emi_configuration_id === null ? {} : { emi_configuration_id }),
  }
}
