import { setTimeout as sleep } from "node:timers/promises"
import { capturePaymentWorkflow } from "@medusajs/medusa/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import { messageOf } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import type { CashOrder } from "../../modules/gateway/cash/records"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import { isMoneyKept } from "../../providers/gateway-payment/session"
import { addCaptures, missingCaptures } from "../cart/order-state"
import { paymentOfCashOrder } from "./medusa-order"

const WAIT_MS = 10_000
const RETRY_MS = 50

/**
 * Makes Medusa show the money of a placed cash order: one capture for the advance and for each collection, each on the
 * order. Any process may call it, any number of times at once: one run at a time does it, and the provider refuses a
 * second capture of the same money.
 */
export async function captureCash(container: MedusaContainer, id: string): Promise<void> {
  await withCashOrder(container, id, async () => {
    const { cashOrders } = gatewayIn(container)
    for (;;) {
      const order = await cashOrders.find(id)
      const next = order === null ? null : await missingCapture(container, order)
      if (order === null || next === null) {
        return
      }
      await capturePaymentWorkflow(container).run({ input: next })
    }
  })
}

/** Waits until no other run works on the order. Throws INVALID_STATE_TRANSITION when that takes too long. */
export async function withCashOrder(container: MedusaContainer, id: string, work: () => Promise<void>): Promise<void> {
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

type Wanted = { payment_id: string; amount: string; captured_by: string }

/** The next money that Medusa lacks; null: it shows everything. The captures that it has are on the order by then. */
async function missingCapture(container: MedusaContainer, order: CashOrder): Promise<Wanted | null> {
  const gateway = gatewayIn(container)
  const payment = await paymentOfCashOrder(container, order.payment_session_id)
  if (payment === null || order.order_id === null) {
    return null
  }
  const made = payment.captures ?? []
  await showCaptures(container, order.order_id, payment)
  const isMade = (id: string | null) => id !== null && made.some((capture) => capture.id === id)
  if (order.transaction_id !== null && !isMade(order.advance_capture_id) && !payment.canceled_at) {
    const record = await gateway.transactions.byId(order.transaction_id)
    if (isMoneyKept(record)) {
      return { payment_id: payment.id, amount: formatAmount(order.advance_minor), captured_by: order.id }
    }
  }
  const collections = await gateway.cash.collections(order.id)
  const next = collections.find(({ capture_id }) => !isMade(capture_id))
  return next === undefined
    ? null
    : { payment_id: payment.id, amount: formatAmount(next.amount_minor), captured_by: next.id }
}

/**
 * Medusa writes a capture and its order transaction in two steps. Its workflow would give one that is missing from an
 * earlier, killed run the amount of the next capture: so what is missing is added first.
 */
async function showCaptures(
  container: MedusaContainer,
  order_id: string,
  { currency_code, captures = [] }: NonNullable<Awaited<ReturnType<typeof paymentOfCashOrder>>>
): Promise<void> {
  await addCaptures(container, { order_id, currency_code }, await missingCaptures(container, order_id, captures))
}
