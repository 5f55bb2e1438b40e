import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { gatewayIn } from "../../../../modules/gateway"
import { findCartPayment, presentCartPayment } from "../../../gateway/cart-payment"

/** The status of a cart's payment, for a storefront to poll; by `session_id` or `transaction_id`. */
export const GET = async (request: MedusaRequest, response: MedusaResponse) => {
  const { transaction_id, session_id } = request.query
  const gateway = gatewayIn(request.scope)
  const record = await findCartPayment(gateway, { transaction_id, session_id })
  response.set("Cache-Control", "no-store")
  response.json(await presentCartPayment(gateway, record))
}
