import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import {
  ContainerRegistrationKeys,
  MathBN,
  Modules,
  OrderChangeStatus,
  OrderChangeType,
  OrderWorkflowEvents,
} from "@medusajs/framework/utils"
import {
  beginReturnOrderWorkflow,
  cancelOrderWorkflow,
  confirmReturnRequestWorkflow,
  requestItemReturnWorkflow,
} from "@medusajs/medusa/core-flows"
import { gatewayIn } from "../../modules/gateway"
import type { CashOrder } from "../../modules/gateway/cash/records"

const FIELDS = [
  "id",
  "status",
  "items.*",
  "items.detail.*",
  "fulfillments.location_id",
  "fulfillments.canceled_at",
  "payment_collections.payments.captures.id",
]

type Detail = { raw_fulfilled_quantity: BigNumberInput; raw_return_requested_quantity: BigNumberInput } & Record<
  "raw_return_received_quantity" | "raw_return_dismissed_quantity",
  BigNumberInput
>
type Order = {
  id: string
  status: string
  items: { id: string; detail: Detail & { raw_quantity: BigNumberInput } }[]
  fulfillments: { location_id: string | null; canceled_at: Date | string | null }[] | null
  payment_collections: { payments: { captures: object[] | null }[] | null }[] | null
}

/**
 * The goods of an order that was refused at the door: what was sent comes back by a return of Medusa, which the shop
 * receives as always, and what was not sent yet is for sale again; of an order of which nothing was sent, Medusa cancels
 * the order. Each piece is looked for first, so it may be repeated after a crash at any point. The caller holds the
 * order's lock.
 */
export async function takeGoodsBack(container: MedusaContainer, cash: CashOrder): Promise<void> {
  const { cashRefunds } = gatewayIn(container)
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "order", fields: FIELDS, filters: { id: cash.order_id ?? "" } })
  const order = data[0] as unknown as Order | undefined
  const sent = order?.items.some(({ detail }) => MathBN.gt(detail.raw_fulfilled_quantity, 0)) ?? false
  if (order === undefined || order.status === "canceled") {
    await cashRefunds.goodsTakenBack(cash.id, null)
  } else if (sent) {
    await release(
      container,
      order.items.filter(({ detail }) => MathBN.lt(detail.raw_fulfilled_quantity, detail.raw_quantity))
    )
    await cashRefunds.goodsTakenBack(cash.id, await returnOf(container, order, cash))
  } else {
    await cancelOrder(container, order, cash)
    await cashRefunds.goodsTakenBack(cash.id, null)
  }
}

/** The return of what was sent and is not coming back yet; null: all of it is. */
async function returnOf(container: MedusaContainer, order: Order, cash: CashOrder): Promise<string | null> {
  const items = order.items
    .map(({ id, detail }) => ({ id, quantity: Number(stillOut(detail)) }))
    .filter(({ quantity }) => quantity > 0)
  const begun = await begunReturn(container, order, cash)
  if (begun?.return_id && begun.status === OrderChangeStatus.CONFIRMED) {
    return begun.return_id
  }
  if (!begun?.return_id && items.length === 0) {
    return null
  }
  const return_id = begun?.return_id ?? (await begin(container, order, cash))
  if ((begun?.actions ?? []).length === 0) {
    await requestItemReturnWorkflow(container).run({ input: { return_id, items } })
  }
  await confirmReturnRequestWorkflow(container).run({ input: { return_id } })
  return return_id
}

function stillOut(detail: Detail): BigNumberInput {
  const back = MathBN.sum(
    detail.raw_return_requested_quantity,
    detail.raw_return_received_quantity,
    detail.raw_return_dismissed_quantity
  )
  return MathBN.sub(detail.raw_fulfilled_quantity, back)
}

/** By which a repetition finds a return that a killed run has begun. */
const noteOf = ({ id }: CashOrder) => `gateway:${id}`

async function begin(container: MedusaContainer, order: Order, cash: CashOrder): Promise<string> {
  const location_id = order.fulfillments?.find(({ canceled_at }) => !canceled_at)?.location_id ?? undefined
  const { result } = await beginReturnOrderWorkflow(container).run({
    input: {
      order_id: order.id,
      location_id,
      created_by: cash.ended_by ?? undefined,
      description: "Refused at the door",
      internal_note: noteOf(cash),
    },
  })
  return result.return_id as string
}

type Begun = { return_id: string | null; internal_note: string | null; status: string; actions: object[] | null }

async function begunReturn(container: MedusaContainer, order: Order, cash: CashOrder): Promise<Begun | null> {
  const found = await container
    .resolve(Modules.ORDER)
    .listOrderChanges({ order_id: order.id, change_type: OrderChangeType.RETURN_REQUEST } as object, {
      relations: ["actions"],
    })
  const ended: readonly string[] = [OrderChangeStatus.CANCELED, OrderChangeStatus.DECLINED]
  const changes = found as unknown as Begun[]
  return changes.find(({ internal_note, status }) => internal_note === noteOf(cash) && !ended.includes(status)) ?? null
}

/** Nobody pays for these any more: they are for sale again. */
async function release(container: MedusaContainer, items: Order["items"]): Promise<void> {
  const lines = items.map(({ id }) => id)
  await container.resolve(Modules.INVENTORY).deleteReservationItemsByLineItem(lines)
}

/**
 * Medusa's workflow gives back all that was captured. An advance is given back by the gateway, or stays with the shop, and
 * of a balance that was paid online a refund is proposed: with these the order is cancelled as the workflow does it,
 * without the refund.
 */
async function cancelOrder(container: MedusaContainer, order: Order, cash: CashOrder): Promise<void> {
  const payments = (order.payment_collections ?? []).flatMap((collection) => collection.payments ?? [])
  const isPaid = payments.some(({ captures }) => (captures ?? []).length > 0)
  if (!isPaid) {
    await cancelOrderWorkflow(container).run({
      input: { order_id: order.id, canceled_by: cash.ended_by ?? undefined },
    })
    return
  }
  await release(container, order.items)
  await container.resolve(Modules.ORDER).cancel([order.id])
  await container.resolve(Modules.EVENT_BUS).emit({ name: OrderWorkflowEvents.CANCELED, data: { id: order.id } })
}
