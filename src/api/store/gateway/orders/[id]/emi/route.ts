import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayIn } from "../../../../../../modules/gateway"
import { emiMark } from "../../../../../../store/cart/emi-mark"

const ORDER_ID = /^order_[A-Za-z0-9]{1,64}$/

/**
 * The instalments in which an order is paid, for its page in the shop: Medusa's Store API leaves the metadata of a
 * single order out. Null when it was paid in full, or is no order of ours. As with Medusa, the order's id is all that a
 * guest needs.
 */
export const GET = async (request: MedusaRequest, response: MedusaResponse) => {
  const { emi, paymentTimelines } = gatewayIn(request.scope)
  const { id } = request.params
  const payments = ORDER_ID.test(id) ? await paymentTimelines.ofOrder(id) : []
  const plans = await Promise.all(payments.map(({ transaction_id }) => emi.planOf(transaction_id)))
  const plan = plans.find((found) => found !== null) ?? null
  response.set("Cache-Control", "no-store")
  response.json({ emi: plan === null ? null : emiMark(plan) })
}
