import { isNotFound } from "../lib/errors"
import { openStore } from "./sdk"
import type { Order, OrderLine } from "./types"

const PAGE_SIZE = 10
const LIST_FIELDS =
  "id,display_id,created_at,status,fulfillment_status,payment_status,total,credit_line_total,*items,*payment_collections"

/** The signed-in shopper's orders, renewals among them, newest first. */
export async function listOrders(offset = 0): Promise<{ orders: OrderLine[]; count: number }> {
  const { sdk } = await openStore()
  const { orders, count } = await sdk.store.order.list({
    fields: LIST_FIELDS,
    order: "-created_at",
    limit: PAGE_SIZE,
    offset,
  })
  return { orders, count }
}

/** In taka: what went back to the shopper, or is on its way. */
export const refundedOf = ({ payment_collections }: Pick<OrderLine, "payment_collections">): number =>
  (payment_collections ?? []).reduce((sum, { refunded_amount }) => sum + Number(refunded_amount ?? 0), 0)

/** In taka: what the shopper has paid, before anything went back. */
export const paidOf = ({ payment_collections }: Pick<OrderLine, "payment_collections">): number =>
  (payment_collections ?? []).reduce((sum, { captured_amount }) => sum + Number(captured_amount ?? 0), 0)

/** The order, or null when there is none with this id. Its id is unguessable and is all a guest needs to see it. */
export async function findOrder(id: string): Promise<Order | null> {
  const { sdk } = await openStore()
  try {
    return (
      await sdk.store.order.retrieve(id, {
        fields: "+payment_status,+credit_line_total,+items.total,+items.subtotal,*payment_collections",
      })
    ).order
  } catch (error) {
    if (isNotFound(error)) {
      return null
    }
    throw error
  }
}
