import { randomUUID } from "node:crypto"
import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules, ProductStatus } from "@medusajs/framework/utils"
import { updateTaxLinesWorkflow } from "@medusajs/medusa/core-flows"
import { messageOf } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import type { CartCompletion } from "../../modules/gateway/checkout/records"
import { isCart } from "../../modules/gateway/checkout/rules"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import type { RenewedGoods } from "../../modules/gateway/subscriptions/store/renewals"
import type { Stock, StockRequest, StockedVariant } from "../../modules/gateway/subscriptions/store/stock"
import { ORDER_MARK } from "../cart/partial-order"
import { type OriginalOrder, deliveryOf, providerOf, readOriginal, renewalCart } from "./original-order"

const VARIANT_FIELDS = [
  "id",
  "manage_inventory",
  "allow_backorder",
  "product.status",
  "inventory_items.inventory_item_id",
  "inventory_items.required_quantity",
  "inventory_items.inventory.location_levels.location_id",
  "inventory_items.inventory.location_levels.raw_stocked_quantity",
  "inventory_items.inventory.location_levels.raw_reserved_quantity",
]

type Level = { location_id: string; raw_stocked_quantity: BigNumberInput; raw_reserved_quantity: BigNumberInput }

type Variant = {
  id: string
  manage_inventory: boolean
  allow_backorder: boolean
  product: { status: string } | null
  inventory_items: {
    inventory_item_id: string
    required_quantity: number
    inventory: { location_levels: (Level | null)[] | null } | null
  }[]
}

/**
 * What Medusa has of these variants and of those that need pieces of theirs, and where the sales channels of these
 * orders are delivered from.
 */
export async function readStock(scope: MedusaContainer, requests: readonly StockRequest[]): Promise<Stock> {
  const asked = await readVariants(scope, [...new Set(requests.map(({ variant_id }) => variant_id))])
  const variants = [...asked, ...(await sharingPieces(scope, asked))]
  return {
    variants: new Map(variants.map((variant) => [variant.id, stocked(variant)])),
    locations: await locationsOf(scope, [...new Set(requests.map(({ order_id }) => order_id))]),
    available: new Map(
      variants
        .flatMap(({ inventory_items }) => inventory_items)
        .map((item) => [item.inventory_item_id, levelsOf(item.inventory)])
    ),
  }
}

async function readVariants(scope: MedusaContainer, id: readonly string[]): Promise<Variant[]> {
  const query = scope.resolve(ContainerRegistrationKeys.QUERY)
  const filters = { id: [...id] }
  const { data } = await query.graph({ entity: "product_variant", fields: VARIANT_FIELDS, filters })
  return data as unknown as Variant[]
}

/** The other variants that need an inventory item of these: what is held for one of them is missing for these. */
async function sharingPieces(scope: MedusaContainer, variants: readonly Variant[]): Promise<Variant[]> {
  const parts = variants.flatMap(({ inventory_items }) => inventory_items)
  const { data: needs } = await scope.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "product_variant_inventory_item",
    fields: ["variant_id"],
    filters: { inventory_item_id: [...new Set(parts.map(({ inventory_item_id }) => inventory_item_id))] },
  })
  const known = new Set(variants.map(({ id }) => id))
  const others = [...new Set(needs.map(({ variant_id }) => variant_id as string))].filter((id) => !known.has(id))
  return others.length === 0 ? [] : readVariants(scope, others)
}

function stocked({ manage_inventory, allow_backorder, product, inventory_items }: Variant): StockedVariant {
  return {
    isSold: product?.status === ProductStatus.PUBLISHED,
    isCounted: manage_inventory,
    isLimited: manage_inventory && !allow_backorder,
    parts: inventory_items.map(({ inventory_item_id, required_quantity }) => ({
      inventory_item_id,
      required: required_quantity,
    })),
  }
}

/** Quantities are counts, not money: a number holds them. */
function levelsOf(inventory: Variant["inventory_items"][number]["inventory"]): Map<string, number> {
  const levels = (inventory?.location_levels ?? []).filter((level) => level !== null)
  return new Map(
    levels.map(({ location_id, raw_stocked_quantity, raw_reserved_quantity }) => [
      location_id,
      MathBN.sub(raw_stocked_quantity, raw_reserved_quantity ?? 0).toNumber(),
    ])
  )
}

/** By order. A deleted order, or one whose sales channel is deleted, has no entry. */
async function locationsOf(scope: MedusaContainer, order_ids: string[]): Promise<Map<string, string[]>> {
  const query = scope.resolve(ContainerRegistrationKeys.QUERY)
  const { data: orders } = await query.graph({
    entity: "order",
    fields: ["id", "sales_channel_id"],
    filters: { id: order_ids },
  })
  const channel_ids = [...new Set(orders.flatMap(({ sales_channel_id }) => sales_channel_id ?? []))]
  const { data } = await query.graph({
    entity: "sales_channel",
    fields: ["id", "stock_locations.id"],
    filters: { id: channel_ids },
  })
  const channels = data as unknown as { id: string; stock_locations: ({ id: string } | null)[] | null }[]
  const locations = new Map(
    channels.map(({ id, stock_locations }) => [id, (stock_locations ?? []).flatMap((location) => location?.id ?? [])])
  )
  return new Map(
    orders.flatMap(({ id, sales_channel_id }) => {
      const found = locations.get(sales_channel_id ?? "")
      return found === undefined ? [] : [[id, found] as const]
    })
  )
}

type Work = {
  container: MedusaContainer
  completion: CartCompletion
  record: PaymentRecord
  goods: RenewedGoods
  order: OriginalOrder
}

type Collection = { id: string; payment_sessions: { id: string; data: { session_id?: unknown } | null }[] }

/**
 * Creates the cart of a paid renewal, with the charge as its payment. Completing it then makes the order as for any paid
 * cart. One run at a time creates the pieces, and looks for each first, so it may be repeated after a crash at any
 * point. Answers the updated completion; a shopper's own cart needs nothing.
 */
export async function readyRenewal(
  container: MedusaContainer,
  completion: CartCompletion,
  record: PaymentRecord
): Promise<CartCompletion> {
  const { subscription_id, transaction_id, payment_session_id } = completion
  if (subscription_id === null || (payment_session_id !== null && (await isReady(container, payment_session_id)))) {
    return completion
  }
  const { billing, cartCompletions } = gatewayIn(container)
  const token = randomUUID()
  if (!(await cartCompletions.lock(transaction_id, token))) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.renewal_cart_being_made"))
  }
  try {
    const goods = await billing.renewals.goodsOf(completion, ORDER_MARK)
    await prepare({ container, completion, record, goods, order: await readOriginal(container, goods.order_id) })
  } finally {
    await cartCompletions.unlock(transaction_id, token)
  }
  const ready = await cartCompletions.find(transaction_id)
  return ready !== null && isCart(ready) ? ready : completion
}

async function prepare(work: Work): Promise<void> {
  const { container, completion, goods, order } = work
  const carts = container.resolve(Modules.CART)
  const [made] = await carts.listCarts(
    { id: [completion.cart_id] },
    { select: ["id"], relations: ["shipping_methods"] }
  )
  if (made === undefined) {
    await carts.createCarts(await renewalCart(container, order, goods))
  }
  const delivery = deliveryOf(order, goods)
  if (delivery !== null && (made?.shipping_methods ?? []).length === 0) {
    await carts.addShippingMethods(completion.cart_id, [delivery])
  }
  await updateTaxLinesWorkflow(container).run({ input: { cart_id: completion.cart_id, force_tax_calculation: true } })
  await ensurePaymentSession(work)
}

/** The payment collection of the cart with one session, which represents the charge. */
async function ensurePaymentSession({ container, completion, record, order }: Work): Promise<void> {
  const payments = container.resolve(Modules.PAYMENT)
  const amount = formatAmount(record.amount_minor)
  const { currency_code } = order
  const collection =
    (await collectionOf(container, completion.cart_id)) ??
    (await newCollection(container, completion.cart_id, { amount, currency_code }))
  const [whole] = collection.payment_sessions.filter(({ data }) => data?.session_id === completion.session_id)
  // A crashed run left a session without a payment; Medusa would take it for the one to be paid.
  for (const { id } of collection.payment_sessions.filter((session) => session.id !== whole?.id)) {
    await payments.deletePaymentSession(id)
  }
  if (whole === undefined) {
    await payments.createPaymentSession(collection.id, {
      provider_id: await providerOf(container, order),
      amount,
      currency_code,
      data: {},
    })
  }
}

async function newCollection(
  container: MedusaContainer,
  cart_id: string,
  money: { amount: string; currency_code: string }
): Promise<Collection> {
  const [{ id }] = await container.resolve(Modules.PAYMENT).createPaymentCollections([money])
  const link = { [Modules.CART]: { cart_id }, [Modules.PAYMENT]: { payment_collection_id: id } }
  await container.resolve(ContainerRegistrationKeys.LINK).create(link)
  return { id, payment_sessions: [] }
}

async function collectionOf(container: MedusaContainer, cart_id: string): Promise<Collection | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = [
    "payment_collection.id",
    "payment_collection.payment_sessions.id",
    "payment_collection.payment_sessions.data",
  ]
  const { data } = await query.graph({ entity: "cart", fields, filters: { id: cart_id } })
  return (data[0] as unknown as { payment_collection?: Collection | null } | undefined)?.payment_collection ?? null
}

/** Created last: a session that names its payment has everything before it. */
async function isReady(container: MedusaContainer, payment_session_id: string): Promise<boolean> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "payment_session",
    fields: ["id", "data"],
    filters: { id: payment_session_id },
  })
  return typeof (data[0]?.data as { session_id?: unknown } | null | undefined)?.session_id === "string"
}
