import { isNotFound } from "../lib/errors"
import { openStore } from "./sdk"
import type { Order } from "./types"

/** The order, or null when there is none with this id. Its id is unguessable and is all a guest needs to see it. */
export async function findOrder(id: string): Promise<Order | null> {
  const { sdk } = await openStore()
  try {
    return (await sdk.store.order.retrieve(id, { fields: "+payment_status,+items.total,+items.subtotal" })).order
  } catch (error) {
    if (isNotFound(error)) {
      return null
    }
    throw error
  }
}
