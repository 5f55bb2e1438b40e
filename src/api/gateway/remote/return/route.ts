import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../../../modules/gateway"
import { withOutcome } from "../../../../modules/gateway/kernel/callback-url"
import type { RemotePayment } from "../../../../modules/gateway/payments/remote-payments"
import type GatewayModuleService from "../../../../modules/gateway/service"
import { paymentSessionOf } from "../../../../providers/gateway-payment/store"
import { outcomeWithoutAsking, outcomeForVisitor } from "../../../../store/remote/outcome-for-visitor"
import {
  findRemotePayment,
  type FoundRemotely,
  type SettledPayment,
} from "../../../../store/remote/settle-remote-payment"
import { addressOf } from "../../../v2-kit/address"

/**
 * Where a gateway in another deployment sends the shopper of a cart. The query only identifies the payment; its status
 * is asked in the other deployment. A paid cart gets its order before the browser goes on to the storefront's
 * return_url; without one the response is JSON. Anybody may call this, so inquiries are limited and never about an
 * order_id that this store has not made. A payment that may not be asked about now is PENDING.
 */
export const GET = async (request: MedusaRequest, response: MedusaResponse) => {
  response.set({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" })
  const payment = await paymentOf(request)
  const found = await findRemotePayment(request.scope, payment.payment_session_id)
  const { status, order_id, cart_id } =
    found === null ? await outcomeWithoutAsking(request.scope, payment) : await settle(request, found)
  const { session_id, transaction_id, return_url } = payment
  if (return_url === null) {
    response.json({ status, order_id, cart_id, session_id, transaction_id })
    return
  }
  response.redirect(303, withOutcome(return_url, { transaction_id, status, order_id: order_id ?? "" }))
}

async function paymentOf({ query, scope }: MedusaRequest): Promise<RemotePayment> {
  const { remotePayments } = scope.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const payment_session_id = paymentSessionOf(query.order_id)
  const payment = payment_session_id === null ? null : await remotePayments.ofPaymentSession(payment_session_id)
  if (payment === null) {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, "No payment of a cart was found with this order_id")
  }
  return payment
}

/** The shopper gets a message; the log gets the reason why the other deployment could not be asked. */
async function settle(request: MedusaRequest, found: FoundRemotely): Promise<SettledPayment> {
  const { scope } = request
  try {
    return await outcomeForVisitor(
      scope,
      found,
      addressOf(scope.resolve<GatewayModuleService>(GATEWAY_MODULE), request)
    )
  } catch (error) {
    const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
    logger.warn(
      `gateway: the status of payment session ${found.session.id} could not be asked: ${(error as Error).message}`
    )
    throw new MedusaError(
      MedusaError.Types.UNEXPECTED_STATE,
      "The payment is being confirmed: reload this page in a moment"
    )
  }
}
