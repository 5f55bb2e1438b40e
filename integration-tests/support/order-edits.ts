import type { MedusaContainer } from "@medusajs/framework/types"
import { ClaimReason, ClaimType, Modules, OrderStatus } from "@medusajs/framework/utils"
import {
  beginClaimOrderWorkflow,
  beginExchangeOrderWorkflow,
  beginOrderEditOrderWorkflow,
  confirmClaimRequestWorkflow,
  confirmExchangeRequestWorkflow,
  confirmOrderEditRequestWorkflow,
  convertDraftOrderWorkflow,
  createOrderWorkflow,
  orderClaimAddNewItemWorkflow,
  orderClaimItemWorkflow,
  orderEditAddNewItemWorkflow,
  orderEditUpdateItemQuantityWorkflow,
  orderExchangeAddNewItemWorkflow,
  orderExchangeRequestItemReturnWorkflow,
} from "@medusajs/medusa/core-flows"
import { ADDRESS } from "./carts"

type Line = { id: string; quantity: number }
type NewLine = { variant_id: string; quantity: number; unit_price: number }

/** An admin edits an order, as on its page: goods are added, or the quantity of a line is changed. */
export async function editOrder(
  container: MedusaContainer,
  order_id: string,
  { add = [], set = [] }: { add?: NewLine[]; set?: Line[] }
): Promise<void> {
  await beginOrderEditOrderWorkflow(container).run({ input: { order_id } })
  if (add.length > 0) {
    await orderEditAddNewItemWorkflow(container).run({ input: { order_id, items: add } })
  }
  if (set.length > 0) {
    await orderEditUpdateItemQuantityWorkflow(container).run({ input: { order_id, items: set } })
  }
  await confirmOrderEditRequestWorkflow(container).run({ input: { order_id } })
}

/** Goods come back, and others go out for them. Answers the exchange's id. */
export async function exchange(
  container: MedusaContainer,
  order_id: string,
  { back, out }: { back: Line[]; out: NewLine[] }
): Promise<string> {
  const [{ id: location_id }] = await container.resolve(Modules.STOCK_LOCATION).listStockLocations({})
  const { result: change } = await beginExchangeOrderWorkflow(container).run({ input: { order_id } })
  const exchange_id = change.exchange_id as string
  const request = { exchange_id, location_id, items: back }
  await orderExchangeRequestItemReturnWorkflow(container).run({ input: request as never })
  await orderExchangeAddNewItemWorkflow(container).run({ input: { exchange_id, items: out } })
  await confirmExchangeRequestWorkflow(container).run({ input: { exchange_id } })
  return exchange_id
}

/** Claimed goods are replaced by others, which may cost more. Answers the claim's id. */
export async function replaceClaimed(
  container: MedusaContainer,
  order_id: string,
  { claimed, out }: { claimed: Line[]; out: NewLine[] }
): Promise<string> {
  const { result: change } = await beginClaimOrderWorkflow(container).run({
    input: { order_id, type: ClaimType.REPLACE },
  })
  const claim_id = change.claim_id as string
  await orderClaimItemWorkflow(container).run({
    input: { claim_id, items: claimed.map((item) => ({ ...item, reason: ClaimReason.WRONG_ITEM })) },
  })
  await orderClaimAddNewItemWorkflow(container).run({ input: { claim_id, items: out } })
  await confirmClaimRequestWorkflow(container).run({ input: { claim_id } })
  return claim_id
}

/** An order that an admin writes for a customer; nothing of it is paid. `isDraft`: it is not converted yet. */
export async function draftOrder(
  container: MedusaContainer,
  { region_id, items, isDraft }: { region_id: string; items: NewLine[]; isDraft: boolean }
): Promise<string> {
  const [channel] = await container.resolve(Modules.SALES_CHANNEL).listSalesChannels({})
  const { result } = await createOrderWorkflow(container).run({
    input: {
      region_id,
      sales_channel_id: channel.id,
      email: "ayesha@example.com",
      currency_code: "bdt",
      shipping_address: ADDRESS,
      billing_address: ADDRESS,
      items: items.map((item) => ({ ...item, title: "Ordered by phone" })),
      status: OrderStatus.DRAFT,
      is_draft_order: true,
    } as never,
  })
  if (!isDraft) {
    await convertDraftOrderWorkflow(container).run({ input: { id: result.id } })
  }
  return result.id
}
