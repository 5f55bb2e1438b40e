import type { BigNumberInput, Query } from "@medusajs/framework/types"
import { messageOf } from "../../i18n/message"
import { HOME_CURRENCY } from "../../modules/gateway/kernel/money/currencies"
import { type GatewayError, fault, validationError } from "../../modules/gateway/kernel/errors"
import type { Minor } from "../../modules/gateway/kernel/money/money"
import type { Scope } from "../../modules/gateway/kernel/types"
import { DEFAULT_PAYMENT_SERVICES } from "../../modules/gateway/merchants/payment-services"
import type { PaymentInfo } from "../../modules/gateway/acquirers/order"
import type GatewayModuleService from "../../modules/gateway/service"
import type { CheckoutRequest } from "./checkout-request"

export type CartAddress = {
  first_name?: string | null
  last_name?: string | null
  company?: string | null
  address_1?: string | null
  address_2?: string | null
  city?: string | null
  province?: string | null
  postal_code?: string | null
  country_code?: string | null
  phone?: string | null
}

export type CartLine = {
  product_title?: string | null
  variant_title?: string | null
  variant_sku?: string | null
  title: string
  quantity: BigNumberInput
  unit_price: BigNumberInput
  total: BigNumberInput
  tax_total: BigNumberInput
  discount_total: BigNumberInput
}

export type ShippingLine = {
  name: string
  amount: BigNumberInput
  total: BigNumberInput
  tax_total: BigNumberInput
  discount_total: BigNumberInput
}

/** A cart with what a checkout order needs. */
export type CartToPay = {
  id: string
  email?: string | null
  currency_code: string
  completed_at?: Date | null
  /** The storefront's language, `bn-BD`; anybody who has the cart can set it. */
  locale?: string | null
  customer?: {
    first_name?: string | null
    last_name?: string | null
    email?: string | null
    phone?: string | null
  } | null
  shipping_address?: CartAddress | null
  billing_address?: CartAddress | null
  items: CartLine[]
  shipping_methods: ShippingLine[]
}

const FIELDS = [
  "id",
  "email",
  "currency_code",
  "completed_at",
  "locale",
  "total",
  "customer.*",
  "shipping_address.*",
  "billing_address.*",
  "items.*",
  "items.total",
  "items.tax_total",
  "items.discount_total",
  "shipping_methods.*",
  "shipping_methods.total",
  "shipping_methods.tax_total",
  "shipping_methods.discount_total",
]

/** The payment session's cart; null when it has no open one. */
export async function cartOfPaymentSession(
  query: Pick<Query, "graph">,
  paymentSessionId: string
): Promise<CartToPay | null> {
  const cart_id = await cartIdOf(query, paymentSessionId)
  return cart_id === null ? null : openCart(query, cart_id)
}

/** Null when there is none with this id, or it has become an order. */
export async function openCart(query: Pick<Query, "graph">, id: string): Promise<CartToPay | null> {
  const { data: carts } = await query.graph({ entity: "cart", fields: FIELDS, filters: { id } })
  const cart = carts[0] as unknown as CartToPay | undefined
  return cart === undefined || cart.completed_at ? null : cart
}

/** Payment session → payment collection → cart; null when one of them is gone. */
async function cartIdOf(query: Pick<Query, "graph">, paymentSessionId: string): Promise<string | null> {
  const { data: links } = await query.graph({
    entity: "cart_payment_collection",
    fields: ["cart_id"],
    filters: { payment_collection_id: await collectionOf(query, paymentSessionId) },
  })
  return links[0]?.cart_id ?? null
}

/** Payment session → payment collection → order; null when it is of no order. */
export async function orderOfPaymentSession(query: Query, paymentSessionId: string): Promise<string | null> {
  const { data: links } = await query.graph({
    entity: "order_payment_collection",
    fields: ["order_id"],
    filters: { payment_collection_id: await collectionOf(query, paymentSessionId) },
  })
  return links[0]?.order_id ?? null
}

async function collectionOf(query: Pick<Query, "graph">, paymentSessionId: string): Promise<string> {
  const filters = { id: paymentSessionId }
  const { data } = await query.graph({ entity: "payment_session", fields: ["payment_collection_id"], filters })
  return data[0]?.payment_collection_id ?? ""
}

/** The order that the cart has become; null while there is none. */
export async function orderOfCart(query: Pick<Query, "graph">, cart_id: string): Promise<string | null> {
  const { data } = await query.graph({ entity: "order_cart", fields: ["order_id"], filters: { cart_id } })
  return data[0]?.order_id ?? null
}

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
