import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import type { CashOrder } from "../../modules/gateway/cash/records"
import { orderChange } from "../../modules/gateway/cash/rules"
import { CASH_OPEN } from "../../modules/gateway/cash/states"
import type { Minor } from "../../modules/gateway/kernel/money/money"
import { isReplaced, minorOf } from "../../providers/gateway-payment/session"
import { reopenCollection } from "../balance/outstanding"
import { withCashOrder } from "./captures"

const FIELDS = [
  "id",
  "status",
  "total",
  "raw_total",
  "transactions.raw_amount",
  "transactions.reference_id",
  "payment_collections.id",
  "payment_collections.status",
  "payment_collections.payments.id",
  "payment_collections.payments.captures.id",
]

type Order = {
  id: string
  status: string
  raw_total: BigNumberInput
  transactions: { raw_amount: BigNumberInput; reference_id: string | null }[] | null
  payment_collections:
    { id: string; status: string; payments: { id: string; captures: { id: string }[] | null }[] | null }[] | null
}

/**
 * `owed`: what the cash order has to bring, its advance included, in hundredths of the currency. `cancelled_collection`:
 * the collection of its payment, which an edit of the order has cancelled.
 */
type Seen = { isCancelled: boolean; owed: Minor; cancelled_collection: string | null }

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
    const after = await cash.follow(id, seen.owed)
    if (seen.cancelled_collection !== null && CASH_OPEN.includes(after.state)) {
      await reopenCollection(container, order.order_id ?? "", seen.cancelled_collection)
    }
  })
}

function isBehind(order: CashOrder, seen: Seen | undefined): seen is Seen {
  return (
    seen !== undefined &&
    (seen.isCancelled || seen.cancelled_collection !== null || orderChange(order, seen.owed) !== 0n)
  )
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
function seenOf({ payment_id }: CashOrder, order: Order): Seen {
  const { status, raw_total, transactions, payment_collections } = order
  const collection = payment_collections?.find(({ payments }) => payments?.some(({ id }) => id === payment_id))
  const payment = collection?.payments?.find(({ id }) => id === payment_id)
  const own = (payment?.captures ?? []).map(({ id }) => id)
  const others = (transactions ?? []).filter(({ reference_id }) => !own.includes(reference_id ?? ""))
  const isEdited = collection !== undefined && isReplaced(collection.status)
  return {
    isCancelled: status === "canceled",
    owed: minorOf(MathBN.sub(raw_total, MathBN.sum(0, ...others.map(({ raw_amount }) => raw_amount)))),
    cancelled_collection: isEdited ? collection.id : null,
  }
}
