import type { CreateCartDTO, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import { isGatewayProvider } from "../../modules/gateway/kernel/text/provider-id"
import { deliveryMethod } from "../../providers/gateway-payment/plan-lines"
import { onlineProvider } from "../balance/order-payment"
import { pieces } from "../../modules/gateway/subscriptions/store/stock"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { RenewedGoods } from "../../modules/gateway/subscriptions/store/renewals"

const ORDER_FIELDS = [
  "id",
  "region_id",
  "sales_channel_id",
  "customer_id",
  "currency_code",
  "locale",
  "shipping_address.*",
  "billing_address.*",
  "shipping_methods.*",
  "shipping_methods.detail.*",
  "payment_collections.payments.provider_id",
]

const VARIANT_FIELDS = [
  "id",
  "title",
  "sku",
  "barcode",
  "thumbnail",
  "options.value",
  "options.option.title",
  "product.id",
  "product.title",
  "product.subtitle",
  "product.description",
  "product.handle",
  "product.thumbnail",
  "product.is_giftcard",
  "product.type.id",
  "product.type.value",
  "product.collection.title",
  "product.shipping_profile.id",
  "inventory_items.inventory.requires_shipping",
]

type Address = Record<string, unknown> & { id?: string }

type Method = {
  name: string
  shipping_option_id: string | null
  data: Record<string, unknown> | null
  detail?: { return_id: string | null; claim_id: string | null; exchange_id: string | null }
}

/** The delivery of a subscription's first order, which its renewals use. */
export type OriginalOrder = {
  id: string
  region_id: string
  sales_channel_id: string
  customer_id: string
  currency_code: string
  locale?: string | null
  shipping_address: Address | null
  billing_address: Address | null
  shipping_methods: Method[]
  payment_collections: { payments: { provider_id: string }[] | null }[] | null
}

type Variant = {
  id: string
  title: string
  sku: string | null
  barcode: string | null
  thumbnail: string | null
  options: { value: string; option: { title: string } | null }[]
  product: {
    id: string
    title: string
    subtitle: string | null
    description: string | null
    handle: string
    thumbnail: string | null
    is_giftcard: boolean
    type: { id: string; value: string } | null
    collection: { title: string } | null
    shipping_profile: { id: string } | null
  }
  inventory_items: { inventory: { requires_shipping: boolean } | null }[]
}

/** Undefined: it is gone. */
export async function findOriginal(container: MedusaContainer, order_id: string): Promise<OriginalOrder | undefined> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "order", fields: ORDER_FIELDS, filters: { id: order_id } })
  return data[0] as unknown as OriginalOrder | undefined
}

/** Throws INVALID_STATE_TRANSITION when it is gone. */
export async function readOriginal(container: MedusaContainer, order_id: string): Promise<OriginalOrder> {
  const order = await findOriginal(container, order_id)
  if (order === undefined) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.renewal_order_gone", { order_id }))
  }
  return order
}

/** The provider of its payment. An order that cost nothing had none: then the store's own for payments online. */
export async function providerOf(container: MedusaContainer, order: OriginalOrder): Promise<string> {
  const { id, payment_collections } = order
  const payments = (payment_collections ?? []).flatMap((collection) => collection.payments ?? [])
  if (payments.length === 0) {
    return onlineProvider(container)
  }
  const ours = payments.find(({ provider_id }) => isGatewayProvider(provider_id))
  if (ours === undefined) {
    throw new GatewayError(
      "INVALID_STATE_TRANSITION",
      messageOf("refusal.renewal_order_not_paid_here", { order_id: id })
    )
  }
  return ours.provider_id
}

/** The cart that becomes the renewal's order: the subscription's address and price, today's product. */
export async function renewalCart(
  container: MedusaContainer,
  order: OriginalOrder,
  goods: RenewedGoods
): Promise<CreateCartDTO & { id: string }> {
  const { region_id, sales_channel_id, customer_id, currency_code, locale } = order
  return {
    id: goods.cart_id,
    region_id,
    sales_channel_id,
    customer_id,
    email: goods.email,
    currency_code,
    ...(locale ? { locale } : {}),
    shipping_address: copied(goods.delivery_address ?? order.shipping_address),
    billing_address: copied(order.billing_address),
    metadata: goods.metadata,
    items: linesOf(await readVariant(container, goods.variant_id, locale), goods),
  }
}

/** The first order's shipping method, at the price that the charge has for it. */
export function deliveryOf(
  { shipping_methods }: OriginalOrder,
  { delivery_minor }: Pick<RenewedGoods, "delivery_minor">
) {
  const isOutward = ({ detail }: Method) => !detail?.return_id && !detail?.claim_id && !detail?.exchange_id
  const method = deliveryMethod(shipping_methods.filter(isOutward))
  if (method === undefined) {
    return null
  }
  const { name, shipping_option_id, data } = method
  return {
    name,
    shipping_option_id: String(shipping_option_id),
    data: data ?? {},
    amount: formatAmount(delivery_minor),
    is_tax_inclusive: true,
  }
}

/** In the language of the first order. Its options are not: Medusa keeps those of a line as the store has written them. */
async function readVariant(container: MedusaContainer, id: string, locale?: string | null): Promise<Variant> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const asked = { entity: "product_variant", fields: VARIANT_FIELDS, filters: { id } }
  const { data } = await query.graph(asked)
  const variant = data[0] as unknown as Variant | undefined
  if (variant === undefined) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.renewal_variant_gone", { variant_id: id }))
  }
  if (locale) {
    const { data: translated } = await query.graph(asked, { locale })
    return { ...variant, ...(translated[0] as unknown as Variant | undefined), options: variant.options }
  }
  return variant
}

/** As Medusa decides it for the line of a cart. */
export function isSent({
  product,
  inventory_items,
}: {
  product: { shipping_profile: unknown } | null
  inventory_items: { inventory: { requires_shipping: boolean } | null }[]
}): boolean {
  return Boolean(product?.shipping_profile) || inventory_items.some(({ inventory }) => inventory?.requires_shipping)
}

function linesOf(variant: Variant, { amount_minor, delivery_minor, quantity }: RenewedGoods) {
  const { product } = variant
  return pieces(BigInt(amount_minor) - BigInt(delivery_minor), quantity).map((line) => ({
    title: product.title,
    subtitle: variant.title,
    thumbnail: variant.thumbnail ?? product.thumbnail ?? undefined,
    quantity: line.quantity,
    unit_price: formatAmount(line.unit),
    // The prices are the charged amount, today's tax included, so the order's total is exactly the charge.
    is_tax_inclusive: true,
    is_custom_price: true,
    is_discountable: false,
    is_giftcard: product.is_giftcard,
    requires_shipping: isSent(variant),
    product_id: product.id,
    product_title: product.title,
    product_subtitle: product.subtitle ?? undefined,
    product_description: product.description ?? undefined,
    product_handle: product.handle,
    product_type: product.type?.value,
    product_type_id: product.type?.id,
    product_collection: product.collection?.title,
    variant_id: variant.id,
    variant_title: variant.title,
    variant_sku: variant.sku ?? undefined,
    variant_barcode: variant.barcode ?? undefined,
    variant_option_values: Object.fromEntries(variant.options.map(({ value, option }) => [option?.title ?? "", value])),
  }))
}

function copied(address: Address | null): Record<string, unknown> | undefined {
  if (address === null) {
    return undefined
  }
  const {
    first_name,
    last_name,
    company,
    address_1,
    address_2,
    city,
    country_code,
    province,
    postal_code,
    phone,
    metadata,
  } = address
  return {
    first_name,
    last_name,
    company,
    address_1,
    address_2,
    city,
    country_code,
    province,
    postal_code,
    phone,
    metadata,
  }
}
