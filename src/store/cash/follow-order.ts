import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import type { CashOrder } from "../../modules/gateway/cash/records"
import { orderChange } from "../../modules/gateway/cash/rules"
import { CASH_OPEN } from "../../modules/gateway/cash/states"
import type { Minor } from "../../modules/gateway/kernel/money/money"
import { isReplaced, minorOf } from "../../providers/gateway-payment/session"
import { isUnpaid, mendCollections } from "../balance/outstanding"
import { outstanding, type OrderBooks } from "../refunds/order-books"
import { withCashOrder } from "./captures"

const FIELDS = [
  "id",
  "status",
  "total",
  "raw_total",
  "summary.*",
  "transactions.*",
  "payment_collections.id",
  "payment_collections.status",
  "payment_collections.raw_amount",
  "payment_collections.payments.id",
  "payment_collections.payments.captures.id",
  "payment_collections.payments.captures.raw_amount",
]

type Collection = {
  id: string
  status: string
  raw_amount: BigNumberInput
  payments: { id: string; captures: { id: string; raw_amount: BigNumberInput }[] | null }[] | null
}
type Order = Pick<OrderBooks, "id" | "status" | "raw_total" | "summary"> & {
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
    if (isBehind(order, seen.get(order.id))) {
      await followOrder(container, order.id)
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
  return new Map(
    orders.flatMap((order) => {
      const seen = found.get(order.order_id ?? "")
      return seen === undefined ? [] : [[order.id, seenOf(order, seen)]]
    })
  )
}

/** The order owes its total, less what was paid by anything but the captures of its cash payment. */
function seenOf({ payment_id, total_minor }: CashOrder, order: Order): Seen {
  const { status, raw_total, transactions } = order
  const collections = order.payment_collections ?? []
  const own = collections.find(({ payments }) => payments?.some(({ id }) => id === payment_id))
  const captures = own?.payments?.find(({ id }) => id === payment_id)?.captures ?? []
  const others = (transactions ?? []).filter(({ reference_id }) => captures.every(({ id }) => id !== reference_id))
  const owed = minorOf(MathBN.sub(raw_total, MathBN.sum(0, ...others.map(({ raw_amount }) => raw_amount))))
  // As the balance counts it: what is outstanding, less what the cash payment may still capture.
  const captured = minorOf(MathBN.sum(0, ...captures.map(({ raw_amount }) => raw_amount)))
  const beyond = minorOf(outstanding({ ...order, transactions: transactions ?? [] })) - BigInt(total_minor) + captured
  const unpaid = collections.filter((of) => isUnpaid(of))
  return {
    isCancelled: status === "canceled",
    owed,
    cancelled: own !== undefined && isReplaced(own.status) ? own.id : null,
    unpaid: unpaid.map(({ id, raw_amount }, index) => {
      const wanted = index === 0 && beyond > 0n ? beyond : 0n
      return { id, amount: minorOf(raw_amount), wanted }
    }),
  }
}
