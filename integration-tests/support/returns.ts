import type { MedusaContainer } from "@medusajs/framework/types"
import { ClaimReason, ClaimType, Modules } from "@medusajs/framework/utils"
import {
  beginClaimOrderWorkflow,
  beginReceiveReturnWorkflow,
  beginReturnOrderWorkflow,
  confirmClaimRequestWorkflow,
  confirmReturnReceiveWorkflow,
  confirmReturnRequestWorkflow,
  createOrderFulfillmentWorkflow,
  dismissItemReturnRequestWorkflow,
  orderClaimItemWorkflow,
  receiveItemReturnRequestWorkflow,
  requestItemReturnWorkflow,
} from "@medusajs/medusa/core-flows"

interface Lines {
  id: string
  quantity: number
}

/** Ships everything: only shipped goods can come back. */
export async function fulfill(container: MedusaContainer, order_id: string, items: Lines[]): Promise<void> {
  await createOrderFulfillmentWorkflow(container).run({ input: { order_id, items } })
}

/** Requests a return, as an admin does on the order page. */
export async function requestReturn(container: MedusaContainer, order_id: string, items: Lines[]): Promise<string> {
  const [{ id: location_id }] = await container.resolve(Modules.STOCK_LOCATION).listStockLocations({})
  const { result: change } = await beginReturnOrderWorkflow(container).run({ input: { order_id, location_id } })
  const return_id = change.return_id as string
  await requestItemReturnWorkflow(container).run({ input: { return_id, items } })
  await confirmReturnRequestWorkflow(container).run({ input: { return_id } })
  return return_id
}

/** Receives the parcel: `items` go back to stock, `damaged` do not. */
export async function receiveReturn(
  container: MedusaContainer,
  return_id: string,
  { items = [], damaged = [] }: { items?: Lines[]; damaged?: Lines[] }
): Promise<void> {
  await beginReceiveReturnWorkflow(container).run({ input: { return_id } })
  if (items.length > 0) {
    await receiveItemReturnRequestWorkflow(container).run({ input: { return_id, items } })
  }
  if (damaged.length > 0) {
    await dismissItemReturnRequestWorkflow(container).run({ input: { return_id, items: damaged } })
  }
  await confirmReturnReceiveWorkflow(container).run({ input: { return_id } })
}

/** A claim that is refunded without a return. */
export async function claimRefund(container: MedusaContainer, order_id: string, items: Lines[]): Promise<string> {
  const { result: change } = await beginClaimOrderWorkflow(container).run({
    input: { order_id, type: ClaimType.REFUND },
  })
  const claim_id = change.claim_id as string
  await orderClaimItemWorkflow(container).run({
    input: { claim_id, items: items.map((item) => ({ ...item, reason: ClaimReason.PRODUCTION_FAILURE })) },
  })
  await confirmClaimRequestWorkflow(container).run({ input: { claim_id } })
  return claim_id
}
