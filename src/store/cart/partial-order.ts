import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { CartCompletion } from "../../modules/gateway/checkout/records"
import { orderOfCart } from "../../providers/gateway-payment/cart"
import { EMI_MARK } from "./emi-mark"
import { withOrderRight } from "./lock"
import { readOrder } from "./order-state"

/** Written on the cart when it is paid; Medusa copies a cart's metadata to its order. */
export const ORDER_MARK = "gateway_transaction_id"

const LINKS = [
  { entity: "order_cart", module: Modules.CART, key: "cart_id" },
  { entity: "order_payment_collection", module: Modules.PAYMENT, key: "payment_collection_id" },
  { entity: "order_promotion", module: Modules.PROMOTION, key: "promotion_id" },
] as const

/**
 * Marks the cart, so that an order made of it is recognised even before anything links the two. Shoppers may write a
 * cart's metadata: a plan of instalments that is there already is not the gateway's.
 */
export async function markCart(container: MedusaContainer, cart_id: string, transaction_id: string): Promise<void> {
  const carts = container.resolve(Modules.CART)
  const { metadata } = await carts.retrieveCart(cart_id, { select: ["id", "metadata"] })
  const forgotten = metadata?.[EMI_MARK] === undefined ? {} : { [EMI_MARK]: null }
  await carts.updateCarts(cart_id, { metadata: { ...metadata, ...forgotten, [ORDER_MARK]: transaction_id } })
}

/**
 * Removes the partial order of a process that was killed while making it, as the workflow's own roll-back would have
 * done. Medusa would take such an order, unpaid and without reservations, for a finished one, or make a second one.
 */
export async function removePartialOrder(container: MedusaContainer, cart: CartCompletion): Promise<void> {
  if ((await partialOrders(container, cart)).length === 0) {
    return
  }
  await withOrderRight(container, cart.transaction_id, async () => {
    // Read again with the right: the order's maker may have finished meanwhile.
    for (const order_id of await partialOrders(container, cart)) {
      await remove(container, cart.cart_id, order_id)
    }
  })
}

async function partialOrders(container: MedusaContainer, cart: CartCompletion): Promise<string[]> {
  const order_ids = cart.payment_session_id === null ? [] : await ordersOf(container, cart)
  const read = await Promise.all(order_ids.map((order_id) => readOrder(container, cart, order_id)))
  return order_ids.filter((_, index) => read[index].state === "partial")
}

/**
 * The orders that were made of the cart, linked to it or not. The mark alone proves nothing: shoppers may write it into
 * the metadata of any cart. An order of another cart, or one that shows money, is not this cart's.
 */
async function ordersOf(container: MedusaContainer, { cart_id, transaction_id }: CartCompletion): Promise<string[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const linked = await orderOfCart(query, cart_id)
  const orders = container.resolve(Modules.ORDER)
  const marked = await orders.listOrders({ metadata: { [ORDER_MARK]: transaction_id } } as object, { select: ["id"] })
  const others = marked.map(({ id }) => id).filter((id) => id !== linked)
  const filters = { order_id: others }
  const { data: links } = await query.graph({ entity: "order_cart", fields: ["order_id"], filters })
  const money = await orders.listOrderTransactions(filters, { select: ["id", "order_id"] })
  const taken = new Set([...links, ...money].map(({ order_id }) => order_id as string))
  return [...(linked === null ? [] : [linked]), ...others.filter((id) => !taken.has(id))]
}

async function remove(container: MedusaContainer, cart_id: string, order_id: string): Promise<void> {
  const orders = container.resolve(Modules.ORDER)
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  logger.warn(`gateway: order ${order_id} of the paid cart ${cart_id} is partial; it is made again`)
  const [order] = await orders.listOrders({ id: [order_id] }, { select: ["id"], relations: ["items"] })
  const lineItemIds = (order?.items ?? []).map(({ id }) => id)
  if (lineItemIds.length > 0) {
    await container.resolve(Modules.INVENTORY).deleteReservationItemsByLineItem(lineItemIds)
  }
  await dismissLinks(container, order_id)
  await orders.deleteOrders([order_id])
  await container.resolve(Modules.CART).updateCarts(cart_id, { completed_at: null } as object)
}

/** The links that completing a cart makes: to the cart, its payment collection and its promotions. */
async function dismissLinks(container: MedusaContainer, order_id: string): Promise<void> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const made = await Promise.all(
    LINKS.map(async ({ entity, module, key }) => {
      const { data } = await query.graph({ entity, fields: [key], filters: { order_id } })
      return data.map((row) => ({ [Modules.ORDER]: { order_id }, [module]: { [key]: row[key] } }))
    })
  )
  await container.resolve(ContainerRegistrationKeys.LINK).dismiss(made.flat())
}
