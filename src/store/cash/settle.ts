import type { IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import type { CashOrder } from "../../modules/gateway/cash/records"
import { CASH_OPEN } from "../../modules/gateway/cash/states"
import { DUE_WORK, DueWork } from "../../modules/gateway/kernel/database/due-work"
import { GatewayError, reasonOf } from "../../modules/gateway/kernel/errors"
import { refundable, type OwnReason } from "../../modules/gateway/refunds/rules"
import { carryOutRefund, goneOf } from "../../providers/gateway-cod/refund"
import { captureCash, withCashOrder } from "./captures"
import { followOrders } from "./follow-order"
import { takeGoodsBack } from "./goods-back"
import { orderMadeOf, paymentOfCashOrder } from "./medusa-order"

/** How often the task looks for an order that is being made; `order.placed` finds a later one. */
const PLACE_TRIES = 10

/**
 * Brings a cash order and Medusa's order in line: placed when Medusa has made it, each sum that came captured, and what
 * was given up no longer open. It looks for every piece first, so it may be repeated after a crash at any point.
 */
export async function settleCashOrder(container: MedusaContainer, id: string): Promise<CashOrder | null> {
  const { cashOrders } = gatewayIn(container)
  const found = await cashOrders.find(id)
  const order = found?.state === "placing" ? await placed(container, found) : found
  if (order === null || order.state === "placing") {
    return order
  }
  const isShown = await captureCash(container, id)
  await finishRefunds(container, order)
  if (order.state === "refused" || order.state === "cancelled") {
    await endPayment(container, order)
    await endOrder(container, order)
  }
  if (isShown) {
    await cashOrders.settled(order)
  }
  return cashOrders.find(id)
}

/** Settles what is recorded already; a failure is the task's to repeat, and changes nothing of what was recorded. */
export async function settleSoon(container: MedusaContainer, id: string): Promise<CashOrder | null> {
  try {
    return await settleCashOrder(container, id)
  } catch (error) {
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
    logger.warn(`gateway: cash order ${id} is not settled in the store yet: ${(error as Error).message}`)
    const { cashOrders } = gatewayIn(container)
    await cashOrders.failed(id, reasonOf(error), DUE_WORK.cashOrder.schedule.after(1))
    return cashOrders.find(id)
  }
}

async function placed(container: MedusaContainer, order: CashOrder): Promise<CashOrder | null> {
  const { cashOrders } = gatewayIn(container)
  const made = await orderMadeOf(container, order.cart_id)
  const payment = made === null ? null : await paymentOfCashOrder(container, order.payment_session_id)
  if (made === null || payment === null) {
    return order
  }
  const row = await cashOrders.place(order.id, { order_id: made.id, order_number: made.number, payment_id: payment.id })
  return made.status === "canceled" ? gatewayIn(container).cash.cancel(row.id) : row
}

/**
 * Refunds of Medusa that were decided, and whose process died or whose outcome was unknown. One that Medusa has removed
 * before the gateway was asked is over; of one that was asked for, the task of orders' refunds shows what became of it.
 */
async function finishRefunds(container: MedusaContainer, order: CashOrder): Promise<void> {
  const { cashRefunds } = gatewayIn(container)
  const scope = { gateway: gatewayIn(container), query: container.resolve(ContainerRegistrationKeys.QUERY) }
  const open = (await cashRefunds.ofOrder(order.id)).filter(({ state }) => state === "open")
  const gone = await goneOf(scope.query, open)
  for (const refund of open) {
    if (refund.online_state !== null) {
      await cashRefunds.settle(refund.id)
    } else if (gone.includes(refund.id)) {
      await cashRefunds.settle(refund.id, refund.medusa_refund_id)
    } else {
      // Somebody decided it earlier. Medusa's local event bus runs this within the request of another admin, whose limit
      // does not hold for it.
      await scope.gateway.refunds.withRoles([], () => carryOutRefund(scope, order, refund))
    }
  }
}

/** Nothing more can be captured of the payment. */
async function endPayment(container: MedusaContainer, order: CashOrder): Promise<void> {
  const payments = container.resolve(Modules.PAYMENT)
  const payment = await paymentOfCashOrder(container, order.payment_session_id)
  if (payment !== null && payment.canceled_at === null) {
    await payments.cancelPayment(payment.id)
  }
  if (order.placed_at === null) {
    await endPaymentSession(payments, order)
  }
}

/** The goods of a refused order come back, and then its advance goes back where the store's rule says so. */
async function endOrder(container: MedusaContainer, order: CashOrder): Promise<void> {
  if (order.goods_back) {
    await withCashOrder(container, order.id, () => takeGoodsBack(container, order))
  }
  if (order.advance_back && order.transaction_id !== null) {
    await giveAdvanceBack(container, order, order.transaction_id)
  }
}

/**
 * All that is left of the advance: a part may have been refunded before. Throws REFUND_NOT_ALLOWED when the acquirer
 * refuses, until an admin has dealt with it: the advance is still owed then.
 */
async function giveAdvanceBack(container: MedusaContainer, order: CashOrder, transaction_id: string): Promise<void> {
  const { refunds, transactions } = gatewayIn(container)
  if (refundable(await transactions.byId(transaction_id)) === 0n) {
    return
  }
  const refund = await refunds.create({
    transaction_id,
    reason: "refused_at_door" satisfies OwnReason,
    requested_by: order.ended_by ?? "store",
    request_key: `cash:${order.id}`,
  })
  if (refund.state === "failed" && refund.dealt_with_at === null) {
    throw new GatewayError("REFUND_NOT_ALLOWED", messageOf("refusal.cash_advance_not_refunded"))
  }
}

/** Completing the cart takes the first payment session that is open: this one must not be. */
async function endPaymentSession(payments: IPaymentModuleService, order: CashOrder): Promise<void> {
  const [session] = await payments.listPaymentSessions({ id: [order.payment_session_id] })
  if (session !== undefined && session.status !== "canceled") {
    const { id, amount, currency_code, data } = session
    await payments.updatePaymentSession({ id, amount, currency_code, data, context: { idempotency_key: id } })
  }
}

const LOOKED_AT_ONCE = 50
/** Of one run, which comes every minute. */
const LOOKS = 4

/** Open orders whose orders in Medusa have changed, whose events may be lost: some of them in each run. */
async function lookAtOrders(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  for (let look = 0; look < LOOKS && !stop?.aborted; look++) {
    const orders = await gatewayIn(scope).cashOrders.toLookAt(LOOKED_AT_ONCE)
    await followOrders(scope, orders)
    if (orders.length < LOOKED_AT_ONCE) {
      return
    }
  }
}

/** Brings what is due in line. Any number of processes may run it. */
export async function followCashOrders(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { cashOrders } = gatewayIn(scope)
  try {
    await lookAtOrders(scope, stop)
  } catch (error) {
    // They are looked at again; captures do not wait for it.
    const logger = scope.resolve(ContainerRegistrationKeys.LOGGER)
    logger.error(`gateway: cash orders could not be compared with their orders: ${(error as Error).message}`)
  }
  const due = new DueWork<CashOrder>(scope.resolve(ContainerRegistrationKeys.LOGGER), DUE_WORK.cashOrder, {
    id: ({ id }) => id,
    claim: (limit, lease) => cashOrders.claim(limit, lease),
    work: async (order) => {
      const now = await settleCashOrder(scope, order.id)
      if (now?.state === "placing") {
        const seconds = order.attempts < PLACE_TRIES ? DUE_WORK.cashOrder.schedule.after(order.attempts + 1) : null
        await cashOrders.failed(order.id, reasonOf(null), seconds)
      }
    },
    failures: ({ attempts }) => attempts,
    failed: ({ id }, { reason, retry_seconds }) => cashOrders.failed(id, reason, retry_seconds),
  })
  await due.run({ stop })
}

/** The order of a cart has been made: what is due in cash is due from now on. */
export async function settleCashOrdersOf(container: MedusaContainer, cart_id: string): Promise<void> {
  for (const { id } of await gatewayIn(container).cashOrders.authorizedOfCart(cart_id)) {
    await settleSoon(container, id)
  }
}

/** An order in Medusa was cancelled or has become cheaper: less cash comes, or none. */
export async function followOrderOf(container: MedusaContainer, order_id: string): Promise<void> {
  const order = await gatewayIn(container).cashOrders.ofOrder(order_id)
  if (order !== null && CASH_OPEN.includes(order.state)) {
    await followOrders(container, [order])
    await settleSoon(container, order.id)
  }
}
