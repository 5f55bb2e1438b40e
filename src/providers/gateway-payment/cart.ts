import type { BigNumberInput, Query } from "@medusajs/framework/types"
import { messageOf } from "../../i18n/message"
import { GatewayError } from "../../modules/gateway/kernel/errors"

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

/** The payment session's cart. Throws INVALID_REQUEST when it has no open one. */
export async function cartOfPaymentSession(query: Query, paymentSessionId: string): Promise<CartToPay> {
  const cart_id = await cartIdOf(query, paymentSessionId)
  const { data: carts } = cart_id
    ? await query.graph({ entity: "cart", fields: FIELDS, filters: { id: cart_id } })
    : { data: [] }
  const cart = carts[0] as unknown as CartToPay | undefined
  if (cart === undefined || cart.completed_at) {
    throw new GatewayError("INVALID_REQUEST", messageOf("refusal.cart_none"))
  }
  return cart
}

/** Payment session → payment collection → cart; null when one of them is gone. */
async function cartIdOf(query: Query, paymentSessionId: string): Promise<string | null> {
  const { data: sessions } = await query.graph({
    entity: "payment_session",
    fields: ["payment_collection_id"],
    filters: { id: paymentSessionId },
  })
  const payment_collection_id = sessions[0]?.payment_collection_id
  const { data: links } = await query.graph({
    entity: "cart_payment_collection",
    fields: ["cart_id"],
    filters: { payment_collection_id: payment_collection_id ?? "" },
  })
  return links[0]?.cart_id ?? null
}

/** The order that the cart has become; null while there is none. */
export async function orderOfCart(query: Pick<Query, "graph">, cart_id: string): Promise<string | null> {
  const { data } = await query.graph({ entity: "order_cart", fields: ["order_id"], filters: { cart_id } })
  return data[0]?.order_id ?? null
}
