import type { BigNumberInput, MedusaContainer, ReturnDTO } from "@medusajs/framework/types"
import { MathBN, Modules, ReturnStatus } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import type { CalculatedProposal } from "../../modules/gateway/refunds/proposals/propose"
import { minorOf } from "../../providers/gateway-payment/session"
import { owedAfter, readBooks } from "../refunds/order-books"
import {
  deliveryOf,
  exactValue,
  gatewayPaymentOf,
  linesOf,
  readOrder,
  type Returned,
  type ReturnedOrder,
} from "./order"
import { isReplaced } from "./propose"

/**
 * A return that is under way, and what will be proposed when all of it is received. In hundredths of the payment's
 * currency.
 */
export type ExpectedRefund = Pick<CalculatedProposal, "items" | "shipping" | "amount"> & {
  return_id: string
  display_id: number
  currency: string
  /** It is refunded at once when it is received, unless goods are damaged or the amount needs approval. */
  automatic: boolean
}

const UNDER_WAY = [ReturnStatus.REQUESTED, ReturnStatus.PARTIALLY_RECEIVED]

/**
 * What the requested returns of an order will propose: by the same rules as when they are received, each as if it came
 * first. Empty when the order was not paid through the gateway.
 */
export async function expectedRefunds(container: MedusaContainer, order_id: string): Promise<ExpectedRefund[]> {
  const returns = await container
    .resolve(Modules.ORDER)
    .listReturns({ order_id, status: UNDER_WAY } as object, { relations: ["items"], order: { created_at: "ASC" } })
  const expected: ExpectedRefund[] = []
  for (const one of returns) {
    const refund = (await isForGoods(container, one)) ? await expectedOf(container, order_id, one) : null
    if (refund !== null) {
      expected.push(refund)
    }
  }
  return expected
}

async function isForGoods(container: MedusaContainer, { claim_id }: ReturnDTO): Promise<boolean> {
  return !claim_id || !(await isReplaced(container, claim_id))
}

async function expectedOf(
  container: MedusaContainer,
  order_id: string,
  { id: return_id, display_id, items: coming }: ReturnDTO
): Promise<ExpectedRefund | null> {
  const order = await readOrder(container, order_id)
  const payment = order === null ? null : await gatewayPaymentOf(container, order)
  if (order === null || payment === null) {
    return null
  }
  const { refundProposals, merchants } = gatewayIn(container)
  const settings = await merchants.environment(payment)
  const back = stillComing(coming, order)
  const lines = linesOf(order, back)
  const expected = await refundProposals.expect({
    transaction_id: payment.transaction_id,
    kind: "return",
    lines,
    shipping: settings.returns_refund_shipping ? minorOf(deliveryOf(order, back)) : 0n,
    most: null,
    owed: minorOf(owedAfter(await readBooks(container, order_id), exactValue(order, back))),
  })
  if (expected === null) {
    return null
  }
  const { items, shipping, amount } = expected
  const { currency } = payment
  return { return_id, display_id, currency, automatic: settings.returns_automatic, items, shipping, amount }
}

/**
 * What was requested and has not been received yet. Medusa's returns keep only the last receipt's count, so of a return
 * that comes in several parcels the order's own count of requested goods decides.
 */
function stillComing(items: ReturnDTO["items"], { items: lines }: ReturnedOrder): Returned {
  const coming: Returned = new Map()
  for (const { item_id, raw_quantity, raw_received_quantity } of items) {
    const requested = lines.find(({ id }) => id === item_id)?.detail.raw_return_requested_quantity ?? 0
    const left = MathBN.sub(raw_quantity as BigNumberInput, (raw_received_quantity ?? 0) as BigNumberInput)
    coming.set(item_id, { quantity: MathBN.lt(left, requested) ? left : requested, damaged: 0 })
  }
  return coming
}
