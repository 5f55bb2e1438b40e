import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import type { CashOrder } from "../../modules/gateway/cash/records"
import { orderChange } from "../../modules/gateway/cash/rules"
import { CASH_OPEN } from "../../modules/gateway/cash/states"
import type { Minor } from "../../modules/gateway/kernel/money/money"
import { isReplaced, minorOf } from "../../providers/gateway-payment/session"
import { isUnpaid, mendCollections, readBalance } from "../balance/outstanding"
import type { OrderBooks } from "../refunds/order-books"
import { withCashOrder } from "./captures"

const FIELDS = [
  "id",
  "status",
  "total",
  "raw_total",
  "transactions.*",
  "payment_collections.id",
  "payment_collections.status",
  "payment_collections.raw_amount",
  "payment_collections.payments.id",
  "payment_collections.payments.captures.id",
]

type Collection = {
  id: string
  status: string
  raw_amount: BigNumberInput
  payments: { id: string; captures: { id: string }[] | null }[] | null
}
type Order = Pick<OrderBooks, "id" | "status" | "raw_total"> & {
  transactions: OrderBooks["transactions"] | null
  payment_collections: Collection[] | null
}

/**
 * `owed`: what the cash order has to bring, its advance included, in hundredths of the currency. `cancelled`: the
 * collection of its payment, which an edit of the order has cancelled. `unpaid`: collections without a payment, and what
 * each should ask for.
 */
type Seen = {
  isCancelled: boolean
  owed: Minor
  cancelled: string | null
  unpaid: { id: string; amount: Minor; wanted: Minor }[]
}

/**
 * Makes cash orders follow their orders in Medusa: cancelled, one gets no cash any more; cheaper by an edit or a return
 * that was received, less is due. What an edit adds is never due at the door: the order's balance collects it
 * (docs/decisions/14). Medusa's events may be lost, so a task looks again, and so does whoever records cash.
 */
export async function followOrders(container: MedusaContainer, orders: readonly CashOrder[]): Promise<void> {
  const open = orders.filter(({ state }) => CASH_OPEN.includes(state))
  const seen = await readOrders(container, open)
  for (const order of open) {
    try {
      if (isBehind(order, seen.get(order.id))) {
        await followOrder(container, order.id)
      }
    } catch (error) {
      // It is looked at again; the others, and the cash that is being recorded, do not wait for it.
      const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
      logger.warn(`gateway: cash order ${order.id} does not follow its order yet: ${(error as Error).message}`)
    }
  }
}

/** The order is read while no other run works on it: of two that read it, the later one writes last. */
async function followOrder(container: MedusaContainer, id: string): Promise<void> {
  const { cash, cashOrders } = gatewayIn(container)
  await withCashOrder(container, id, async () => {
    const order = await cashOrders.find(id)
    const seen = order === null ? undefined : (await readOrders(container, [order])).get(id)
    if (order === null || !isBehind(order, seen)) {
      return
    }
    if (seen.isCancelled) {
      await cash.cancel(id)
      return
    }
    await cash.follow(id, seen.owed)
    await mendCollections(container, order.order_id ?? "", seen.cancelled)
  })
}

function isMisplaced({ amount, wanted }: Seen["unpaid"][number]): boolean {
  return amount !== wanted || wanted === 0n
}

function isBehind(order: CashOrder, seen: Seen | undefined): seen is Seen {
  if (seen === undefined) {
    return false
  }
  const isLess = orderChange(order, seen.owed) !== 0n
  return isLess || seen.isCancelled || seen.cancelled !== null || seen.unpaid.some(isMisplaced)
}

/** By the cash order's id. One whose order is gone is left out. */
async function readOrders(container: MedusaContainer, orders: readonly CashOrder[]): Promise<Map<string, Seen>> {
  const ids = orders.flatMap(({ order_id }) => order_id ?? [])
  if (ids.length === 0) {
    return new Map()
  }
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "order", fields: FIELDS, filters: { id: ids } })
  const found = new Map((data as unknown as Order[]).map((order) => [order.id, order]))
  const all = new Map<string, Seen>()
  for (const order of orders) {
    const now = found.get(order.order_id ?? "")
    if (now !== undefined) {
      all.set(order.id, await seenOf(container, order, now))
    }
  }
  return all
}

/** The order owes its total, less what was paid by anything but the captures of its cash payment. */
async function seenOf(container: MedusaContainer, { payment_id }: CashOrder, order: Order): Promise<Seen> {
  const { status, raw_total, transactions } = order
  const collections = order.payment_collections ?? []
  const own = collections.find(({ payments }) => payments?.some(({ id }) => id === payment_id))
  const captures = own?.payments?.find(({ id }) => id === payment_id)?.captures ?? []
  const others = (transactions ?? []).filter(({ reference_id }) => captures.every(({ id }) => id !== reference_id))
  const unpaid = collections.filter((of) => isUnpaid(of))
  const due = unpaid.length === 0 ? 0n : ((await readBalance(container, order.id))?.due ?? 0n)
  return {
    isCancelled: status === "canceled",
    owed: minorOf(MathBN.sub(raw_total, MathBN.sum(0, ...others.map(({ raw_amount }) => raw_amount)))),
    cancelled: own !== undefined && isReplaced(own.status) ? own.id : null,
    unpaid: unpaid.map(({ id, raw_amount }, index) => {
      return { id, amount: minorOf(raw_amount), wanted: index === 0 && due > 0n ? due : 0n }
    }),
  }
}
