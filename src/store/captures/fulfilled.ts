import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import type { Minor } from "../../modules/gateway/kernel/money/money"
import { minorOf } from "../../providers/gateway-payment/session"

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
