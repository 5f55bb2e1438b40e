import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import type { Minor } from "../../modules/gateway/kernel/money/money"
import { minorOf } from "../../providers/gateway-payment/session"
import { readBooks } from "../refunds/order-books"
import { readOrder } from "../returns/order"
import { claimedValue } from "../returns/propose"
import type { MedusaCapture } from "./medusa-captures"

/** What of an order decides how much of it is sent. Totals contain discounts and tax. */
export type FulfilledOrder = {
  id: string
  status: string
  total: BigNumberInput
  items: { id: string; total: BigNumberInput; quantity: BigNumberInput; fulfilled: BigNumberInput }[]
}

type Item = {
  id: string
  total: BigNumberInput
  quantity: BigNumberInput
  detail?: { raw_fulfilled_quantity?: BigNumberInput; fulfilled_quantity?: BigNumberInput } | null
}

/** Medusa's payment of a payment session, its collection and its order. */
export type Place = { payment: MedusaPayment; collection: { id: string; status: string }; order_id: string }
export type MedusaPayment = { id: string; canceled_at: Date | string | null; captures: MedusaCapture[] }

const PLACE_FIELDS = [
  "payment.id",
  "payment.canceled_at",
  "payment.captures.*",
  "payment_collection.id",
  "payment_collection.status",
]

/** Null while there is no payment or no order: a later sweep finds them. */
export async function placeOf(container: MedusaContainer, payment_session_id: string): Promise<Place | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const filters = { id: payment_session_id }
  const { data } = await query.graph({ entity: "payment_session", fields: PLACE_FIELDS, filters })
  const session = data[0] as unknown as
    { payment?: MedusaPayment | null; payment_collection: Place["collection"] } | undefined
  if (!session?.payment) {
    return null
  }
  const { payment, payment_collection } = session
  const { data: links } = await query.graph({
    entity: "order_payment_collection",
    fields: ["order_id"],
    filters: { payment_collection_id: payment_collection.id },
  })
  const order_id: string | undefined = links[0]?.order_id
  return order_id === undefined ? null : { payment, collection: payment_collection, order_id }
}

const FIELDS = ["id", "status", "total", "items.id", "items.total", "items.quantity", "items.detail.*"]

/** Null: the order is gone. */
export async function readFulfilledOrder(container: MedusaContainer, order_id: string): Promise<FulfilledOrder | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "order", fields: FIELDS, filters: { id: order_id } })
  const order = data[0] as unknown as (Omit<FulfilledOrder, "items"> & { items: Item[] }) | undefined
  if (order === undefined) {
    return null
  }
  const items = order.items.map(({ id, total, quantity, detail }) => {
    const fulfilled = detail?.raw_fulfilled_quantity ?? detail?.fulfilled_quantity ?? 0
    return { id, total, quantity, fulfilled }
  })
  return { id: order.id, status: order.status, total: order.total, items }
}

/**
 * What the goods on their way cost, in hundredths of the currency: their share of the items, and the same share of
 * everything else that the order costs (delivery, its tax). When all goods are on their way it is the order's total, so
 * that no rounding is left over.
 */
export function fulfilledMinor({ total, items }: FulfilledOrder): { minor: Minor; isAll: boolean } {
  const goods = MathBN.sum(0, ...items.map((item) => item.total))
  const isAll = items.every(({ quantity, fulfilled }) => MathBN.gte(fulfilled, quantity))
  if (isAll || MathBN.lte(goods, 0)) {
    return { minor: isAll ? minorOf(total) : 0n, isAll }
  }
  const sent = items
    .filter(({ quantity }) => MathBN.gt(quantity, 0))
    .map((item) => MathBN.mult(item.total, MathBN.div(MathBN.min(item.fulfilled, item.quantity), item.quantity)))
  return { minor: minorOf(MathBN.mult(total, MathBN.div(MathBN.sum(0, ...sent), goods))), isAll }
}

/**
 * For the store port. Goods that are asked back still count: they are owed until they have arrived. Medusa's total has
 * claimed goods that do not come back, which nobody pays.
 */
export async function orderOwes(container: MedusaContainer, payment_session_id: string): Promise<Minor | null> {
  const place = await placeOf(container, payment_session_id)
  if (place === null) {
    return null
  }
  const order = await readOrder(container, place.order_id)
  if (order === null || order.status === "canceled") {
    return 0n
  }
  const { raw_total, transactions } = await readBooks(container, order.id)
  const own = place.payment.captures.map(({ id }) => id)
  const others = transactions.filter(({ reference_id }) => !own.includes(reference_id ?? ""))
  const paid = MathBN.sum(0, ...others.map(({ raw_amount }) => raw_amount))
  return minorOf(MathBN.sub(raw_total, MathBN.add(paid, await claimedValue(container, order))))
}
