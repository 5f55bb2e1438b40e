import type { ServerResponse } from "node:http"
import { MedusaError } from "@medusajs/framework/utils"
import { withOutcome } from "../../../modules/gateway/kernel/http/callback-url"
import type { PaymentRecord } from "../../../modules/gateway/payments/records"
import { gatewayOf, queryValue, type PageRequest } from "../../page-kit/request"
import { asciiUrl } from "../../pay/http/respond"
import { sendFault, sendJson, sendNothing } from "../../compress"
import { findCartPayment, presentCartPayment } from "../cart-payment"

/**
 * Where the hosted page sends the shopper of a cart. Only the transaction's id is read from the query; its status is
 * looked up here, because a status in an address proves nothing. Then the browser goes to the storefront's return_url;
 * without one the response is JSON. Errors have Medusa's shape.
 */
export async function GET(request: PageRequest, response: ServerResponse): Promise<void> {
  response.setHeader("Cache-Control", "no-store")
  response.setHeader("Referrer-Policy", "no-referrer")
  try {
    await comeBack(request, response)
  } catch (error) {
    if (MedusaError.isMedusaError(error) && error.type === MedusaError.Types.NOT_FOUND) {
      return sendJson(response, 404, { type: error.type, message: error.message })
    }
    sendFault(response, request.gatewayPage.services.logger, error)
  }
}

async function comeBack(request: PageRequest, response: ServerResponse): Promise<void> {
  const gateway = gatewayOf(request)
  const record = await findCartPayment(gateway, { transaction_id: queryValue(request, "transaction_id") })
  if (record.state === "SUCCESS") {
    await completeCart(request, record)
  }
  const payment = await presentCartPayment(gateway, record)
  if (record.return_url === null) {
    return sendJson(response, 200, payment)
  }
  const { transaction_id, status, order_id } = payment
  response.setHeader(
    "Location",
    asciiUrl(withOutcome(record.return_url, { transaction_id, status, order_id: order_id ?? "" }))
  )
  sendNothing(response, 303)
}

/**
 * The paying process may have died. Only a cart without any try is completed here: page reloads must not use up the
 * task's tries. What fails here, the task repeats, and the shopper is not kept from the shop. No task looks at a cart
 * that waits for an admin, whose order the storefront may have made since.
 */
async function completeCart({ gatewayPage }: PageRequest, { transaction_id }: PaymentRecord): Promise<void> {
  const { gateway, store, logger } = gatewayPage.services
  const completion = await gateway.cartCompletions.find(transaction_id)
  const isUntried = completion?.state === "waiting" && completion.attempts === 0
  if (!isUntried && completion?.state !== "needs_attention") {
    return
  }
  await store.completeCart(transaction_id).catch((error: Error) => {
    logger.warn(`gateway: no order yet of the payment ${transaction_id}: ${error.message}`)
  })
}
