import { formatAmount } from "../../../modules/gateway/kernel/money"
import type { CheckoutOrder } from "../../../modules/gateway/checkout/service"
import type { PaymentInfo } from "../../../modules/gateway/payments/order"
import { requestedService } from "../payment-info"
import type { CheckoutRequest } from "../checkout-request"

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
export function requestedPaymentInfo(requested: CheckoutRequest): PaymentInfo | null {
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
