import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { messageOf, said } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import type { CartCompletion, Completion } from "../../modules/gateway/checkout/records"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { TransactionState } from "../../modules/gateway/payments/states"
import type { Refund } from "../../modules/gateway/refunds/service"
import type GatewayModuleService from "../../modules/gateway/service"
import { notifyPaymentSessionSoon } from "./notify-payment-session"
import { addCaptures, missingCaptures } from "../captures/medusa-captures"
import { type Captured, type OrderReading, readOrder } from "./order-state"
import { withOrderRight } from "./lock"
import type { OwnReason } from "../../modules/gateway/refunds/rules"

/** `unpaid`: an order that is still being made, or a partial one. */
type Recorded = "recorded" | "unpaid" | "paid otherwise"

/**
 * Makes sure that the order shows the payment and that its cart is closed. A process killed after authorising the
 * payment did not record it; a late run that was rolled back has opened the cart again.
 */
export async function recordPayment(
  container: MedusaContainer,
  cart: CartCompletion,
  order_id: string,
  isMade = false
): Promise<Recorded> {
  const { state, captured } = await authorised(container, cart, order_id)
  if (state === "paid otherwise") {
    return state
  }
  const isComplete = isMade && captured?.captures.length === 0
  if ((state === "partial" && !isComplete) || state === "cancelled" || captured === null) {
    return "unpaid"
  }
  if (state === "unrecorded" && !(await addMissing(container, cart.transaction_id, captured))) {
    return "unpaid"
  }
  const carts = container.resolve(Modules.CART)
  const [open] = await carts.listCarts({ id: cart.cart_id, completed_at: null } as object, { select: ["id"] })
  if (open !== undefined) {
    await carts.updateCarts(open.id, { completed_at: new Date() } as object)
  }
  return "recorded"
}

/** What a merchant works with is an order, whose payment a process that died has not even authorised. */
async function authorised(container: MedusaContainer, cart: CartCompletion, order_id: string): Promise<OrderReading> {
  const read = await readOrder(container, cart, order_id)
  const { payment_session_id, transaction_id } = cart
  if (read.state !== "unrecorded" || read.captured !== null || payment_session_id === null) {
    return read
  }
  const payments = container.resolve(Modules.PAYMENT)
  const [session] = await payments.listPaymentSessions({ id: [payment_session_id] }, { select: ["id"] })
  if (session === undefined) {
    return read
  }
  await withOrderRight(container, transaction_id, () => payments.authorizePaymentSession(payment_session_id, {}))
  return readOrder(container, cart, order_id)
}

/**
 * Only with the right to make the order: the run that has it may be about to add them itself, and nothing in Medusa
 * keeps an order from showing the same money twice. False while it is another's; a killed run's right runs out.
 */
async function addMissing(container: MedusaContainer, transaction_id: string, captured: Captured): Promise<boolean> {
  const added = await withOrderRight(container, transaction_id, async () => {
    const { order_id, payment_collection_id, captures } = captured
    const left = await missingCaptures(container, order_id, captures)
    if (left.length === 0) {
      // Whoever had the right before has added them in the meantime.
      return true
    }
    await addCaptures(container, captured, left)
    await container.resolve(ContainerRegistrationKeys.LINK).create({
      [Modules.ORDER]: { order_id },
      [Modules.PAYMENT]: { payment_collection_id },
    })
    return true
  })
  return added ?? (await missingCaptures(container, captured.order_id, captured.captures)).length === 0
}

const ASK_AGAIN_SECONDS = 3_600
/** Of an authorised payment: no money has moved, or was voided or lost before it did. */
const NOTHING_TAKEN: readonly TransactionState[] = ["AUTHORIZED", "CANCELLED", "EXPIRED"]

/**
 * A paid cart that can never become an order, or a paid balance that its order no longer has: the money goes back, once,
 * and an admin can read what happened.
 */
export async function giveMoneyBack(container: MedusaContainer, completion: Completion): Promise<void> {
  const { cartCompletions, refunds, releases, transactions } = gatewayIn(container)
  const { transaction_id, cart_id, order_id, session_id } = completion
  try {
    const { state, authorized_minor } = await transactions.byId(transaction_id)
    if (authorized_minor !== null && NOTHING_TAKEN.includes(state)) {
      if (state === "AUTHORIZED") {
        await releases.void(null, transaction_id, {})
      }
      await cartCompletions.givenBack(transaction_id, null)
      await notifyPaymentSessionSoon(container, session_id)
      return
    }
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
    const what =
      cart_id === null
        ? `the balance of order ${order_id} is paid (${transaction_id}), is not asked for any more`
        : `cart ${cart_id} is paid (${transaction_id}), has no order`
    logger.error(`gateway: ${what}, and its money could not be given back: ${error.message}`)
  }
}

/** Medusa may have given the money back itself, when it rolled the order back: then that refund is the one. */
async function refundFor(
  refunds: GatewayModuleService["refunds"],
  { transaction_id, cart_id }: Completion
): Promise<Refund> {
  const why =
    cart_id === null
      ? { reason: "nothing_outstanding" satisfies OwnReason, request_key: `balance:${transaction_id}` }
      : { reason: "no_order" satisfies OwnReason, request_key: `cart:${cart_id}` }
  try {
    return await refunds.create({
      transaction_id,
      ...why,
      requested_by: "reconciler",
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
