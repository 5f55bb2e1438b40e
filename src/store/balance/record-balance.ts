import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules } from "@medusajs/framework/utils"
import { messageOf, type Message } from "../../i18n/message"
import { translate } from "../../i18n/translate"
import { gatewayIn } from "../../modules/gateway"
import type { PaidBalance } from "../../modules/gateway/checkout/records"
import { GatewayError, reasonOf } from "../../modules/gateway/kernel/errors"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import { isMoneyKept } from "../../providers/gateway-payment/session"
import { whileLocked, withOrderRight } from "../cart/lock"
import { addCaptures, missingCaptures } from "../captures/medusa-captures"
import { giveMoneyBack } from "../cart/record-payment"
import { owedForReceived, readBooks } from "../refunds/order-books"
import { numberOf, type OrderBalance, readBalance, unpaidCollection } from "./outstanding"
import { capturedBy, newCollection, type OrderPayment, paymentSessionFor } from "./order-payment"

/**
 * Records a paid balance on its Medusa order: a captured payment on a payment collection of the order, and the order's
 * transaction. Answers the order's id; null while that is not done. Each piece is looked for first, so it may be
 * repeated after a crash at any point, by any process. When the order has no such balance any more, the money goes back.
 */
export async function recordBalance(container: MedusaContainer, balance: PaidBalance): Promise<string | null> {
  const { cartCompletions } = gatewayIn(container)
  const { transaction_id, order_id, state } = balance
  if (state !== "waiting") {
    return state === "ordered" ? order_id : null
  }
  try {
    const never = await withOrderRight(container, transaction_id, () =>
      whileLocked(container, order_id, () => record(container, balance))
    )
    if (never === null) {
      // Another run is doing it.
      return null
    }
    if (never !== RECORDED) {
      await giveUp(container, balance, never)
      return null
    }
    await cartCompletions.ordered(transaction_id, await shownAs(container, order_id))
    return order_id
  } catch (error) {
    return afterFailure(container, balance, reasonOf(error))
  }
}

const RECORDED = "recorded"

async function record(container: MedusaContainer, balance: PaidBalance): Promise<typeof RECORDED | Message> {
  const gateway = gatewayIn(container)
  const { transaction_id, order_id } = balance
  const payment = await gateway.transactions.byId(transaction_id)
  let captured = await capturedBy(container, payment.payment_session_id)
  if (captured === null) {
    const found = await readBalance(container, order_id)
    const never = isMoneyKept(payment) ? whyNever(found) : messageOf("cart.money_refunded")
    if (found === null || never !== null) {
      return never ?? messageOf("balance.order_gone")
    }
    captured = await capture(container, payment, found)
  }
  await showOnOrder(container, order_id, captured)
  await leaveRest(container, order_id)
  if (MathBN.gt(owedForReceived(await readBooks(container, order_id)), 0)) {
    // The order became cheaper while it was being paid: what was paid too much is proposed as a refund.
    const notice = { kind: "edit", source_id: transaction_id, order_id, changed_at: new Date() } as const
    await gateway.returnNotices.record([notice])
  }
  return RECORDED
}

/** Why the order can never take the money; null: it takes it. */
function whyNever(found: OrderBalance | null): Message | null {
  if (found === null) {
    return messageOf("balance.order_gone")
  }
  if (found.isCancelled) {
    return messageOf("balance.order_cancelled")
  }
  return found.due > 0n ? null : messageOf("balance.none_left")
}

/** Medusa's payment of the money. The payment provider binds the payment session to it, and reports it captured. */
async function capture(
  container: MedusaContainer,
  payment: PaymentRecord,
  { order }: OrderBalance
): Promise<OrderPayment> {
  const payments = container.resolve(Modules.PAYMENT)
  const id = await paymentSessionFor(container, payment, order)
  await payments.authorizePaymentSession(id, {})
  const captured = await capturedBy(container, id)
  if (captured === null) {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.order_incomplete", { order_id: order.id }))
  }
  return captured
}

/** The order's transactions of the captures that it does not show yet, and a collection that has what was captured. */
async function showOnOrder(container: MedusaContainer, order_id: string, payment: OrderPayment): Promise<void> {
  const { currency_code, captures, payment_collection } = payment
  await addCaptures(container, { order_id, currency_code }, await missingCaptures(container, order_id, captures))
  const amount = MathBN.sum(0, ...captures.map(({ raw_amount }) => raw_amount))
  if (!MathBN.eq(payment_collection.raw_amount, amount) || payment_collection.status !== "completed") {
    // An order edit of another process has given the collection another amount, after the payment was made on it.
    const payments = container.resolve(Modules.PAYMENT)
    await payments.updatePaymentCollections(payment_collection.id, { amount, status: "completed" } as object)
  }
}

/** Medusa keeps an unpaid collection of what is outstanding: without one its page offers no way to collect it. */
async function leaveRest(container: MedusaContainer, order_id: string): Promise<void> {
  const found = await readBalance(container, order_id)
  if (found !== null && found.due > 0n && unpaidCollection(found.order) === null) {
    await newCollection(container, order_id, formatAmount(found.due))
  }
}

async function shownAs(container: MedusaContainer, order_id: string) {
  const found = await readBalance(container, order_id)
  // The tax of the order is on the receipt of what it was bought with.
  return { order_id, order_number: found === null ? null : numberOf(found.order), tax_minor: null }
}

async function giveUp(container: MedusaContainer, { transaction_id }: PaidBalance, why: Message): Promise<void> {
  const after = await gatewayIn(container).cartCompletions.giveBack(transaction_id, why)
  if (after.state === "giving_back") {
    await giveMoneyBack(container, after)
  }
}

const TRY_AGAIN_SECONDS = 60

/** Tried again, and given back at the end; never once Medusa has the payment: the order only has to show it. */
async function afterFailure(container: MedusaContainer, balance: PaidBalance, reason: Message): Promise<string | null> {
  const { cartCompletions, transactions } = gatewayIn(container)
  const { transaction_id, order_id } = balance
  container
    .resolve(ContainerRegistrationKeys.LOGGER)
    .warn(`gateway: the paid balance of order ${order_id} (${transaction_id}) is not on it yet: ${translate(reason)}`)
  const { payment_session_id } = await transactions.byId(transaction_id)
  if ((await capturedBy(container, payment_session_id)) !== null) {
    await cartCompletions.putOff(transaction_id, TRY_AGAIN_SECONDS)
    return null
  }
  const after = await cartCompletions.failed(transaction_id, reason)
  if (after.state === "giving_back") {
    await giveMoneyBack(container, after)
  }
  return null
}
