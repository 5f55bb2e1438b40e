import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { withOutcome } from "../../../modules/gateway/kernel/callback-url"
import { completePaidCart } from "../../../store/cart/complete-paid-cart"
import { findCartPayment, presentCartPayment } from "../cart-payment"

/**
 * Where the hosted page sends the shopper of a cart. Only the transaction's id is read from the query; its status is
 * looked up here, because a status in an address proves nothing. Then the browser goes to the storefront's return_url;
 * without one the response is JSON.
 */
export const GET = async (request: MedusaRequest, response: MedusaResponse) => {
  response.set({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" })
  const record = await findCartPayment(request.scope, { transaction_id: request.query.transaction_id })
  if (record.state === "SUCCESS") {
    // The paying process may have died. Only a cart without any try is completed here: page reloads must not use up the
    // task's tries.
    await completePaidCart(request.scope, record.transaction_id, { onlyUntried: true })
  }
  const payment = await presentCartPayment(request.scope, record)
  if (record.return_url === null) {
    response.json(payment)
    return
  }
  const { transaction_id, status, order_id } = payment
  response.redirect(303, withOutcome(record.return_url, { transaction_id, status, order_id: order_id ?? "" }))
}
