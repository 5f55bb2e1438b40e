import { formatAmount } from "../../../modules/gateway/kernel/money"
import type { CheckoutOrder } from "../../../modules/gateway/checkout/service"
import type { PaymentInfo } from "../../../modules/gateway/payments/order"
import { requestedService } from "../payment-info"
import type { CheckoutRequest } from "../checkout-request"

/** A checkout order as the contract writes it (2.1). */
export function wireOrder({
  amount,
  description,
  customer_phone: _phone,
  items,
  ...order
}: CheckoutOrder): Record<string, unknown> {
  return { ...order, order_amount: formatAmount(amount), order_description: description, order_items: items }
}

/** What the storefront has preselected; whether the merchant has it is for the other deployment to say. */
export function requestedPaymentInfo(requested: CheckoutRequest): PaymentInfo | null {
  const payment_service_id = requestedService(requested)
  const { emi_configuration_id } = requested
  if (payment_service_id === null && emi_configuration_id === null) {
    return null
  }
  return {
    ...(payment_service_id === null ? {} : { payment_service_id }),
    // As with the local provider a requested: on the payment page the shopper may still choose another way.
    ...(emi_configuration_id === null ? {} : { emi_configuration_id }),
  }
}
