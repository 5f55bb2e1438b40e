import { setTimeout as sleep } from "node:timers/promises"
import { capturePaymentWorkflow } from "@medusajs/medusa/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { messageOf } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import type { CashOrder } from "../../modules/gateway/cash/records"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import { isMoneyKept } from "../../providers/gateway-payment/session"
import {
  addCaptures,
  correctionsOf,
  isOld,
  missingCaptures,
  removeLost,
  shownCaptures,
} from "../captures/medusa-captures"
import { paymentOfCashOrder } from "./medusa-order"

const WAIT_MS = 10_000
const RETRY_MS = 50

/**
 * Makes Medusa show the money of a placed cash order: one capture for the advance and for each collection, each on the
 * order. Any process may call it, any number of times at once: one run at a time does it, and the provider refuses a
 * second capture of the same money. False: Medusa may be capturing at this moment, and it has to be looked at again.
 */
export async function captureCash(container: MedusaContainer, id: string): Promise<boolean> {
  return withCashOrder(container, id, async () => {
    const captured = new Set<string>()
    for (;;) {
      const order = await gatewayIn(container).cashOrders.find(id)
      const shown = order === null ? null : await showCaptures(container, order)
      if (shown === null || shown.next === null) {
        return shown === null || shown.isSettled
      }
      if (captured.has(shown.next.captured_by)) {
        throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.capture_under_way"))
      }
      captured.add(shown.next.captured_by)
      await capturePaymentWorkflow(container).run({ input: shown.next })
    }
  })
}

/** Waits until no other run works on the order. Throws INVALID_STATE_TRANSITION when that takes too long. */
export async function withCashOrder<Result>(
  container: MedusaContainer,
  id: string,
  work: () => Promise<Result>
): Promise<Result> {
  const { cashOrders } = gatewayIn(container)
  const giveUpAt = Date.now() + WAIT_MS
  for (;;) {
    const token = await cashOrders.lock(id)
    if (token !== null) {
      try {
        return await work()
      } finally {
        await cashOrders.unlock(id, token)
      }
    }
    if (Date.now() >= giveUpAt) {
      throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.cash_order_busy"))
    }
    await sleep(RETRY_MS)
  }
}

/** Money that came: `capture_id` is Medusa's capture of it, which may be gone. */
type Money = { id: string; amount_minor: number; capture_id: string | null }
/** `next`: the capture to make; `isSettled`: nothing is missing, and nothing is written by Medusa at this moment. */
type Shown = { next: { payment_id: string; amount: string; captured_by: string } | null; isSettled: boolean }

/**
 * Brings Medusa's captures and the order's transactions of them in line with the money that came, and says what is
 * missing. What a killed process left is removed or added first: Medusa's workflow would give a capture whose transaction
 * is missing the amount of the next one. Null: there is no order or no payment to show it.
 */
async function showCaptures(container: MedusaContainer, order: CashOrder): Promise<Shown | null> {
  const payment = await paymentOfCashOrder(container, order.payment_session_id)
  const { order_id } = order
  if (payment === null || order_id === null) {
    return null
  }
  const money = await moneyOf(container, order, payment.canceled_at !== null)
  const known = new Set([order.advance_capture_id, ...money.map(({ capture_id }) => capture_id)])
  const captures = await removeLost(container, payment, known)
  if (captures.some(({ id }) => !known.has(id))) {
    return { next: null, isSettled: false }
  }
  // Medusa writes a capture and its transaction in two steps; those that were made here were made under the order's lock.
  const ids = new Set([order.id, ...money.map(({ id }) => id)])
  const missing = await missingCaptures(container, order_id, captures)
  const lost = missing.filter((capture) => isOld(capture) || ids.has(capture.created_by ?? ""))
  const corrections = await correctionsOf(container, captures, await shownCaptures(container, order_id))
  await addCaptures(container, { order_id, currency_code: payment.currency_code }, [...lost, ...corrections])
  const next = money.find(({ capture_id }) => captures.every(({ id }) => id !== capture_id))
  return {
    next: next === undefined ? null : nextOf(payment.id, next),
    isSettled: missing.length === lost.length,
  }
}

function nextOf(payment_id: string, { id, amount_minor }: Money): Shown["next"] {
  return { payment_id, amount: formatAmount(amount_minor), captured_by: id }
}

/** The advance, unless the payment can no longer show it, and all cash. */
async function moneyOf(container: MedusaContainer, order: CashOrder, is_cancelled: boolean): Promise<Money[]> {
  const { cash, transactions } = gatewayIn(container)
  const collections = await cash.collections(order.id)
  const { transaction_id, advance_minor, advance_capture_id } = order
  if (transaction_id === null || is_cancelled || !isMoneyKept(await transactions.byId(transaction_id))) {
    return collections
  }
  return [{ id: order.id, amount_minor: advance_minor, capture_id: advance_capture_id }, ...collections]
}
