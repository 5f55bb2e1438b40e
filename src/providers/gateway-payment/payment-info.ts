import { messageOf } from "../../i18n/message"
import { HOME_CURRENCY } from "../../modules/gateway/kernel/currencies"
import { fault, validationError, type GatewayError } from "../../modules/gateway/kernel/errors"
import type { Minor } from "../../modules/gateway/kernel/money"
import { DEFAULT_PAYMENT_SERVICES } from "../../modules/gateway/merchants/payment-services"
import type GatewayModuleService from "../../modules/gateway/service"
import type { PaymentInfo } from "../../modules/gateway/payments/order"
import type { Scope } from "../../modules/gateway/kernel/types"
import type { CheckoutRequest } from "./checkout-request"

/** The method, service or EMI configuration that a storefront has preselected (contract 2.5); null without one. */
export async function paymentInfo(
  gateway: GatewayModuleService,
  scope: Scope,
  requested: CheckoutRequest,
  order: { amount: Minor; currency: string }
): Promise<PaymentInfo | null> {
  const payment_service_id = await preselectedService(gateway, scope, requested)
  const { emi_configuration_id } = requested
  if (emi_configuration_id !== null) {
    requireEmiCurrency(order.currency)
    await requireEmi(gateway, scope, order.amount, emi_configuration_id)
  }
  return preselection(payment_service_id, requested)
}

/** What the payment page shows as chosen; null: nothing. */
function preselection(
  payment_service_id: number | null,
  { emi_configuration_id }: Pick<CheckoutRequest, "emi_configuration_id">
): PaymentInfo | null {
  if (payment_service_id === null && emi_configuration_id === null) {
    return null
  }
  return {
    ...(payment_service_id === null ? {} : { payment_service_id }),
    // Without requires_emi it is only a preselection: on the payment page the shopper may still choose another way.
    ...(emi_configuration_id === null ? {} : { emi_configuration_id }),
  }
}

/** Checks that this merchant has the service. */
async function preselectedService(
  gateway: GatewayModuleService,
  scope: Scope,
  requested: CheckoutRequest
): Promise<number | null> {
  const service_id = requestedService(requested)
  if (service_id !== null && !(await gateway.checkouts.hasPaymentService(scope, service_id))) {
    throw unavailable(requested)
  }
  return service_id
}

/** Service ids are the same for every merchant. Throws VALIDATION_ERROR for an unknown service. */
function requestedService(requested: CheckoutRequest): number | null {
  const { payment_method, payment_service } = requested
  if (payment_method === null && payment_service === null) {
    return null
  }
  const service = DEFAULT_PAYMENT_SERVICES.find(
    ({ code, kind }) => (payment_service ?? code) === code && (payment_method ?? kind) === kind
  )
  if (service === undefined) {
    throw unavailable(requested)
  }
  return service.service_id
}

function unavailable({ payment_service }: CheckoutRequest): GatewayError {
  const field = payment_service === null ? "payment_method" : "payment_service"
  return validationError([fault(field, messageOf("rule.store_method"))])
}

/** The contract's instalments, their amounts and the banks' offers are in BDT (contract 4.4). */
function requireEmiCurrency(currency: string): void {
  if (currency !== HOME_CURRENCY) {
    const reason = messageOf("rule.emi_currency", { currency })
    throw validationError([fault("emi_configuration_id", reason, "INVALID_CURRENCY")])
  }
}

async function requireEmi(gateway: GatewayModuleService, scope: Scope, amount: Minor, uuid: string): Promise<void> {
  const { services } = await gateway.merchants.environment(scope)
  const info = { requires_emi: true, emi_configuration_id: uuid }
  await gateway.emi.requireOrder(scope, services, amount, info, "")
}
