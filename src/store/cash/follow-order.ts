import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules, PaymentCollectionStatus } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import type { CashOrder } from "../../modules/gateway/cash/records"
import { orderChange } from "../../modules/gateway/cash/rules"
import { CASH_OPEN } from "../../modules/gateway/cash/states"
import { formatAmount, type Minor } from "../../modules/gateway/kernel/money/money"
import { minorOf } from "../../providers/gateway-payment/session"
import { unpaidCollection } from "../balance/order-payment"
import { readBalance } from "../balance/outstanding"
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
      await reopen(container, order, seen.cancelled_collection)
    }
  })
}

/**
 * With an edit Medusa cancels the collection of the cash payment, and makes one of all that is outstanding, which an admin
 * could mark as paid: the cash would be paid twice. That one is left what the door does not collect.
 */
async function reopen(container: MedusaContainer, { order_id }: CashOrder, id: string): Promise<void> {
  const payments = container.resolve(Modules.PAYMENT)
  const change = (collection: string, to: object) => payments.updatePaymentCollections(collection, to as object)
  await change(id, { status: PaymentCollectionStatus.AUTHORIZED })
  const found = await readBalance(container, order_id ?? "")
  const unpaid = found === null ? null : unpaidCollection(found.order)
  if (found !== null && unpaid !== null) {
    const isNone = found.due <= 0n
    await change(unpaid, isNone ? { status: PaymentCollectionStatus.CANCELED } : { amount: formatAmount(found.due) })
  }
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
  const isEdited = collection?.status === PaymentCollectionStatus.CANCELED
  return {
    isCancelled: status === "canceled",
    owed: minorOf(MathBN.sub(raw_total, MathBN.sum(0, ...others.map(({ raw_amount }) => raw_amount)))),
    cancelled_collection: isEdited ? collection.id : null,
  }
}
