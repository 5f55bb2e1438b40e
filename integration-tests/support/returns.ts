import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import {
  beginReceiveReturnWorkflow,
  beginReturnOrderWorkflow,
  confirmReturnReceiveWorkflow,
  confirmReturnRequestWorkflow,
  createOrderFulfillmentWorkflow,
  dismissItemReturnRequestWorkflow,
  receiveItemReturnRequestWorkflow,
  requestItemReturnWorkflow,
} from "@medusajs/medusa/core-flows"

export interface Lines {
  id: string
  quantity: number
}

/** Everything leaves the warehouse: only what was sent can come back. */
export async function fulfill(container: MedusaContainer, order_id: string, items: Lines[]): Promise<void> {
  await createOrderFulfillmentWorkflow(container).run({ input: { order_id, items } })
}

/** A return that is asked for, as an admin makes it on the order page. */
export async function requestReturn(container: MedusaContainer, order_id: string, items: Lines[]): Promise<string> {
  const [{ id: location_id }] = await container.resolve(Modules.STOCK_LOCATION).listStockLocations({})
  const { result: change } = await beginReturnOrderWorkflow(container).run({ input: { order_id, location_id } })
  const return_id = change.return_id as string
  await requestItemReturnWorkflow(container).run({ input: { return_id, items } })
  await confirmReturnRequestWorkflow(container).run({ input: { return_id } })
  return return_id
}

/** The parcel is here: `items` go back to the shelf, `damaged` do not. */
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
