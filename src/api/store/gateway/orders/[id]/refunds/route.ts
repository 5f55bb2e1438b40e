import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayIn } from "../../../../../../modules/gateway"
import { formatAmount } from "../../../../../../modules/gateway/kernel/money/money"
import type { Refund } from "../../../../../../modules/gateway/refunds/service"

const ORDER_ID = /^order_[A-Za-z0-9]{1,64}$/
/** One that failed or was cancelled gives nothing back. */
const SHOWN: readonly Refund["state"][] = ["pending", "processing", "completed"]

/**
 * The refunds of an order, for its page in the shop: on their way, or complete. Empty for an order that is not paid here.
 * As with Medusa, the order's id is all that a guest needs.
 */
export const GET = async (request: MedusaRequest, response: MedusaResponse) => {
  const { refunds, paymentTimelines } = gatewayIn(request.scope)
  const { id } = request.params
  const payments = ORDER_ID.test(id) ? await paymentTimelines.ofOrder(id) : []
  const all = (await Promise.all(payments.map(({ transaction_id }) => refunds.list(transaction_id)))).flat()
  response.set("Cache-Control", "no-store")
  response.json({ refunds: all.filter(({ state }) => SHOWN.includes(state)).map(present) })
}

function present({ id, state, amount_minor, currency, created_at, completed_at }: Refund): object {
  return { id, status: state, amount: formatAmount(amount_minor), currency, created_at, completed_at }
}
