import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import { withOutcome } from "../../../../modules/gateway/domain/callback-url"
import { paymentSessionOf } from "../../../../providers/gateway-payment/store"
import { settleRemotePayment, type RemotePayment } from "../../../../workflows/remote/settle-remote-payment"

/**
 * Where a gateway in another deployment sends the shopper of a cart. The query says only which payment is meant; what
 * became of it is asked over there, and a paid cart has its order before the browser goes on to the storefront's
 * return_url. A storefront that gave none gets JSON.
 */
export const GET = async (request: MedusaRequest, response: MedusaResponse) => {
  response.set({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" })
  const settled = await settle(request)
  const { session_id, transaction_id, return_url } = settled.data
  const { status, order_id, cart_id } = settled
  if (return_url === null) {
    response.json({ status, order_id, cart_id, session_id, transaction_id })
    return
  }
  response.redirect(303, withOutcome(return_url, { transaction_id, status, order_id: order_id ?? "" }))
}

async function settle({ query, scope }: MedusaRequest): Promise<RemotePayment> {
  const session = paymentSessionOf(query.order_id)
  const settled = session === null ? null : await tellingWhy(scope, session.id)
  if (settled === null) {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, "No payment of a cart was found with this order_id")
  }
  return settled
}

/** The shopper gets a sentence; why the other deployment could not be asked is for the log. */
async function tellingWhy(scope: MedusaRequest["scope"], payment_session_id: string): Promise<RemotePayment | null> {
  try {
    return await settleRemotePayment(scope, payment_session_id)
  } catch (error) {
    const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
    logger.warn(`gateway: what became of payment session ${payment_session_id} could not be asked: ${(error as Error).message}`)
    throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, "The payment is being confirmed: reload this page in a moment")
  }
}
