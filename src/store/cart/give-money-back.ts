import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { messageOf, said } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type GatewayModuleService from "../../modules/gateway/service"
import type { CartCompletion } from "../../modules/gateway/checkout/cart-completions"
import type { Refund } from "../../modules/gateway/refunds/service"
import { notifyPaymentSessionSoon } from "./notify-payment-session"

const ASK_AGAIN_SECONDS = 3_600

/** A paid cart that can never become an order: its money goes back, once, and an admin can read what happened. */
export async function giveMoneyBack(container: MedusaContainer, completion: CartCompletion): Promise<void> {
  const { cartCompletions, refunds } = gatewayIn(container)
  const { transaction_id, cart_id, session_id } = completion
  try {
    const refund = await refundFor(refunds, completion)
    if (refund.state === "processing") {
      // The acquirer has not finished: the same request is made again later, and settles then.
      await cartCompletions.putOff(transaction_id, ASK_AGAIN_SECONDS)
      return
    }
    if (refund.state === "completed") {
      await cartCompletions.givenBack(transaction_id, refund.id)
      await notifyPaymentSessionSoon(container, session_id)
      return
    }
    throw new GatewayError(
      "REFUND_NOT_ALLOWED",
      refund.error_message === null ? messageOf("refusal.refund_failed") : said(refund.error_message)
    )
  } catch (error) {
    if (!GatewayError.is(error)) {
      throw error
    }
    await cartCompletions.needsAttention(transaction_id, error.reason)
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
    logger.error(
      `gateway: cart ${cart_id} is paid (${transaction_id}), has no order, and its money could not be given back: ${error.message}`
    )
  }
}

/** Medusa may have given the money back itself, when it rolled the order back: then that refund is the one. */
async function refundFor(
  refunds: GatewayModuleService["refunds"],
  { transaction_id, cart_id }: CartCompletion
): Promise<Refund> {
  try {
    return await refunds.create({
      transaction_id,
      reason: "No order could be made of the cart",
      requested_by: "reconciler",
      request_key: `cart:${cart_id}`,
      may_overdraw: true,
    })
  } catch (error) {
    const made = await refunds.list(transaction_id)
    const last = made.reverse().find(({ state }) => state === "processing" || state === "completed")
    if (GatewayError.is(error) && error.code === "ALREADY_REFUNDED" && last !== undefined) {
      return last
    }
    throw error
  }
}
