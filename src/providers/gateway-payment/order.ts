import { countries } from "medusa-core-utils/dist/countries"
import { languageOfTag } from "../../i18n/languages"
import { messageOf } from "../../i18n/message"
import { asciiDigits } from "../../i18n/typed"
import { HOME_CURRENCY, isCurrency } from "../../modules/gateway/kernel/money/currencies"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { DELIVERY, LIMITS } from "../../modules/gateway/kernel/limits"
import { formatAmount, type Minor } from "../../modules/gateway/kernel/money/money"
import { orderNumberOf } from "../../modules/gateway/kernel/text/ids"
import { normalisePhone } from "../../modules/gateway/kernel/text/phone"
import type { CheckoutOrder } from "../../modules/gateway/checkout/session-row"
import type { CustomerDetails, OrderItem, PaymentInfo } from "../../modules/gateway/acquirers/order"
import { amountText } from "./session"
import type { CartAddress, CartLine, CartToPay, ShippingLine } from "./cart"

type OrderInput = {
  order_id: string
  amount: Minor
  cart: CartToPay
  payment_session_id: string
  /** The address of this deployment to which the shopper returns. */
  own_return_url: string
  payment_info: PaymentInfo | null
}

/** The full checkout order of a cart (contract 2.1 to 2.5). Throws INVALID_CURRENCY and INVALID_REQUEST (amount). */
export function checkoutOrder({ order_id, amount, cart, ...input }: OrderInput): CheckoutOrder {
  const currency = currencyOf(cart)
  requirePayable(amount, currency)
  const customer = customerOf(cart)
  return {
    order_id,
    currency,
    amount,
    description: null,
    success_url: input.own_return_url,
    fail_url: input.own_return_url,
    cancel_url: input.own_return_url,
    ipn_url: null,
    customer,
    customer_phone: normalisePhone(customer.phone) ?? customer.phone,
    shipping: shippingOf(cart, customer),
    items: [...cart.items.map(itemOf), ...cart.shipping_methods.map(deliveryOf)],
    payment_info: input.payment_info,
    metadata: { source: "medusa", cart_id: cart.id, payment_session_id: input.payment_session_id },
    language: languageOfTag(cart.locale ?? ""),
    order_number: orderNumberOf(cart.id),
  }
}

/** Errors: INVALID_CURRENCY for a currency without two decimals, or an unknown one (docs/decisions/08). */
export function currencyOf(cart: Pick<CartToPay, "currency_code">): string {
  const currency = cart.currency_code.toUpperCase()
  if (!isCurrency(currency)) {
    throw new GatewayError("INVALID_CURRENCY", messageOf("refusal.cart_currency_unknown", { currency }))
  }
  return currency
}

/** The currency of a checkout never changes: Medusa deletes the payment sessions of a cart whose currency does. */
export function requireSameCurrency(current: { currency: string }, currency_code: string): void {
  const currency = currency_code.toUpperCase()
  if (currency !== current.currency) {
    throw new GatewayError("INVALID_CURRENCY", messageOf("refusal.update_currency", { currency, of: current.currency }))
  }
}

/** Contract 8: from 10.00 to 500000.00 BDT. In other currencies from 0.50 (docs/decisions/08). */
export function requirePayable(amount: Minor, currency: string): void {
  const { orderAmountMinMinor, otherAmountMinMinor, orderAmountMaxMinor: max } = LIMITS
  const min = currency === HOME_CURRENCY ? orderAmountMinMinor : otherAmountMinMinor
  if (amount < min || amount > max) {
    const range = { min: formatAmount(min), max: formatAmount(max), currency }
    throw new GatewayError(
      "INVALID_REQUEST",
      messageOf("refusal.cart_amount", { ...range, amount: formatAmount(amount) })
    )
  }
}

function customerOf(cart: CartToPay): CustomerDetails {
  const { customer, shipping_address, billing_address } = cart
  const pick = (field: keyof CartAddress) => shipping_address?.[field] || billing_address?.[field]
  const address = shipping_address ?? billing_address
  const email = cart.email || customer?.email
  const phone = asciiDigits(pick("phone") || customer?.phone || "")
  return {
    name: text(personName(shipping_address) || personName(billing_address) || personName(customer) || email || phone),
    email: text(email),
    address: text(street(address)),
    city: text(pick("city") || pick("province")),
    postcode: text(asciiDigits(pick("postal_code") ?? "")),
    country: text(countryName(pick("country_code"))),
    phone: text(phone),
  }
}

function shippingOf(
  { shipping_address: address, shipping_methods }: CartToPay,
  customer: CustomerDetails
): Record<string, unknown> | null {
  if (!address) {
    return null
  }
  return {
    name: customer.name,
    address: customer.address,
    city: customer.city,
    ...(address.province ? { state: text(address.province) } : {}),
    postcode: customer.postcode,
    country: customer.country,
    metadata: { methods: shipping_methods.map(({ name }) => name) },
  }
}

/** The product with its variant, as the shop shows them. */
export function itemName(line: Pick<CartLine, "product_title" | "variant_title" | "title">): string {
  const title = [line.product_title || line.title, line.variant_title].filter(Boolean).join(", ")
  return clip(title, LIMITS.itemTextMaxChars)
}

function itemOf(line: CartLine): OrderItem {
  return {
    ...(line.variant_sku ? { sku: line.variant_sku } : {}),
    product_name: itemName(line),
    quantity: Number(line.quantity),
    ...prices(line, line.unit_price),
  }
}

function deliveryOf(method: ShippingLine): OrderItem {
  return {
    product_name: clip(method.name, LIMITS.itemTextMaxChars),
    product_category: DELIVERY,
    quantity: 1,
    ...prices(method, method.amount),
  }
}

/** `net_amount` is what the line adds to the order: after discounts, with tax. */
function prices(
  line: Pick<CartLine, "total" | "tax_total" | "discount_total">,
  unit: CartLine["unit_price"]
): OrderItem {
  return {
    unit_price: amountText(unit),
    vat: amountText(line.tax_total),
    discount_amount: amountText(line.discount_total),
    net_amount: amountText(line.total),
  }
}

function personName(person: { first_name?: string | null; last_name?: string | null } | null | undefined): string {
  return [person?.first_name, person?.last_name].filter(Boolean).join(" ").trim()
}

function street(address: CartAddress | null | undefined): string {
  return [address?.company, address?.address_1, address?.address_2].filter(Boolean).join(", ")
}

/** A store need not ask for every field of the customer: what is absent is empty (decisions: Absent means absent). */
function text(value: string | null | undefined): string {
  return clip((value ?? "").trim(), LIMITS.customerFieldMaxChars)
}

/** Half of a surrogate pair at the end would not be valid text for PostgreSQL. */
function clip(value: string, maxChars: number): string {
  return value.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "")
}

/**
 * Maps Medusa's country code (`bd`, `BD` or `BGD`) to the country name that the contract's customer carries; an unknown
 * code stays as it is. The subpath import keeps the rest of medusa-core-utils (float helpers) out of the process.
 */
export function countryName(code: string | null | undefined): string {
  const wanted = (code ?? "").trim().toUpperCase()
  const match = countries.find(({ alpha2, alpha3 }) => alpha2 === wanted || alpha3 === wanted)
  return match?.name ?? wanted
}
