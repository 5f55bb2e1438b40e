import type { RefundState } from "../states"
import type { OrderRefundState } from "./states"

/**
 * A refund that Medusa's payment provider requests has this prefix and the id of Medusa's refund as its request key.
 */
export const MEDUSA_KEY = "medusa:"

/** The worker's task that brings Medusa's orders in line with what became of refunds. */
export const SYNC_TASK = "sync-order-refunds"

/**
 * For how long a refund that Medusa requested is not synced to its order: Medusa writes its refund first and the
 * order's transaction last, and may still be writing.
 */
export const MEDUSA_SECONDS = 120

type Synced = { origin: "gateway" | "medusa"; state: OrderRefundState; refund_state: RefundState }

/**
 * Whether an order's page shows a refund, as people read it. Medusa writes its own refund on the order before it asks
 * the gateway, so it is shown from the start, although the gateway looks only after two minutes whether all of it was
 * written. A failed one has to be removed first.
 */
export function stateOnOrder({ origin, state, refund_state }: Synced): OrderRefundState {
  const isWrittenByMedusa = origin === "medusa" && (refund_state === "processing" || refund_state === "completed")
  return state === "waiting" && isWrittenByMedusa ? "shown" : state
}
