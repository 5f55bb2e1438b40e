import { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { translate } from "../../i18n/translate"
import { messageOf, type Message } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import { DUE_WORK, DueWork } from "../../modules/gateway/kernel/database/due-work"
import { GatewayError, reasonOf } from "../../modules/gateway/kernel/errors"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import type { MadeOrder } from "../../modules/gateway/checkout/cart-completions"
import type { CartCompletion, Completion } from "../../modules/gateway/checkout/records"
import { isBalance, isCart } from "../../modules/gateway/checkout/rules"
import { isMoneyKept, toMinor } from "../../providers/gateway-payment/session"
import { orderOfCart } from "../../providers/gateway-payment/cart"
import { markCartWithPlan, markOrderWithPlan } from "./emi-mark"
import { giveMoneyBack, recordPayment } from "./record-payment"
import { removePartialOrder } from "./partial-order"
import { recordBalance } from "../balance/record-balance"
import { beginDueFreePlans } from "./free-plans"
import { readyRenewal } from "../renewals/renewal-cart"

const PAID_OTHERWISE = messageOf("cart.paid_otherwise")

/**
 * Makes the order of a paid cart, or answers the one that exists; null while there is none. A paid balance is recorded on
 * its order. Any process may call it, any
 * number of times at once: the `validate` hook lets one run at a time make the order. When the cart cannot become an
 * order, the payment is refunded.
 */
export async function completePaidCart(
  container: MedusaContainer,
  transaction_id: string,
  options: { justPaid?: boolean; onlyUntried?: boolean } = {}
): Promise<string | null> {
  const gateway = gatewayIn(container)
  const found = await gateway.cartCompletions.find(transaction_id)
  if (found === null || !isCart(found)) {
    return found !== null && isBalance(found) ? recordBalance(container, found) : null
  }
  let completion = found
  if (completion.state === "needs_attention") {
    return orderMadeMeanwhile(container, completion)
  }
  if (completion.state !== "waiting") {
    return completion.order_id
  }
  if (options.onlyUntried === true && completion.attempts > 0) {
    return null
  }
  const record = await gateway.transactions.byId(transaction_id)
  try {
    if (options.justPaid !== true) {
      await removePartialOrder(container, completion)
    }
    if (!isMoneyKept(record)) {
      return await refundedCart(container, completion)
    }
    completion = await readyRenewal(container, completion, record)
    await markCartWithPlan(container, completion)
    return await acknowledgeOrder(container, completion, await runCompletion(container, completion), { isMade: true })
  } catch (error) {
    const reason = reasonOf(error)
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
    logger.warn(
      `gateway: no order yet of the paid cart ${completion.cart_id} (${transaction_id}): ${translate(reason)}`
    )
    return afterFailure(container, completion, record, reason)
  }
}

/**
 * An admin decides about this cart, and no order is made of it here. But its problem may be fixed, and the storefront has
 * made the order.
 */
async function orderMadeMeanwhile(container: MedusaContainer, completion: CartCompletion): Promise<string | null> {
  const order_id = await orderOfCart(container.resolve(ContainerRegistrationKeys.QUERY), completion.cart_id)
  const isMade = order_id !== null && (await recordPayment(container, completion, order_id)) === "recorded"
  return isMade ? acknowledgeOrder(container, completion, order_id) : null
}

/** An order may exist all the same: its money was given back after it was made, and before that was recorded. */
async function refundedCart(container: MedusaContainer, completion: CartCompletion): Promise<string | null> {
  const order_id = await orderOfCart(container.resolve(ContainerRegistrationKeys.QUERY), completion.cart_id)
  if (order_id !== null) {
    return acknowledgeOrder(container, completion, order_id)
  }
  await giveUp(container, completion, messageOf("cart.money_refunded"))
  return null
}

/**
 * The cart has become this order: once the order shows the payment, the completion is finished. `isMade`: Medusa says that
 * it has made all of the order, which a payment without captures does not show.
 */
export async function acknowledgeOrder(
  container: MedusaContainer,
  completion: CartCompletion,
  order_id: string,
  { isMade = false } = {}
): Promise<string | null> {
  const recorded = await recordPayment(container, completion, order_id, isMade)
  if (recorded === "paid otherwise") {
    await giveUp(container, completion, PAID_OTHERWISE)
    return null
  }
  if (recorded === "unpaid") {
    throw new GatewayError("INVALID_STATE_TRANSITION", messageOf("refusal.order_incomplete", { order_id }))
  }
  await markOrderWithPlan(container, { order_id, transaction_id: completion.transaction_id })
  const gateway = gatewayIn(container)
  const made = await readOrder(container, order_id)
  return (await gateway.cartCompletions.ordered(completion.transaction_id, made)).order_id
}

type Order = {
  display_id?: number | string | null
  custom_display_id?: string | null
  tax_total?: BigNumberInput | null
}

/** The number that the shop shows for the order, and its tax; null what it does not have. */
async function readOrder(container: MedusaContainer, order_id: string): Promise<MadeOrder> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = ["display_id", "custom_display_id", "tax_total"]
  const { data } = await query.graph({ entity: "order", fields, filters: { id: order_id } })
  const order = data[0] as Order | undefined
  const tax = order?.tax_total ?? null
  return {
    order_id,
    order_number: order?.custom_display_id || order?.display_id?.toString() || null,
    tax_minor: tax === null ? null : Number(toMinor(tax)),
  }
}

async function runCompletion(container: MedusaContainer, { cart_id }: CartCompletion): Promise<string> {
  const { result, errors } = await completeCartWorkflow(container).run({ input: { id: cart_id }, throwOnError: false })
  if (errors.length > 0) {
    throw errors[0].error
  }
  return result.id
}

async function afterFailure(
  container: MedusaContainer,
  completion: CartCompletion,
  record: PaymentRecord,
  reason: Message
): Promise<string | null> {
  const order_id = await orderOfCart(container.resolve(ContainerRegistrationKeys.QUERY), completion.cart_id)
  const recorded = order_id === null ? "unpaid" : await recordPayment(container, completion, order_id)
  if (recorded === "recorded") {
    // The order is made and paid; only recording it failed, and the task repeats that.
    return order_id
  }
  const never = recorded === "paid otherwise" ? PAID_OTHERWISE : await whyNever(container, completion, record)
  if (never !== null) {
    await giveUp(container, completion, never)
    return null
  }
  const gateway = gatewayIn(container)
  const after = await gateway.cartCompletions.failed(completion.transaction_id, reason)
  if (after.state === "giving_back") {
    await giveMoneyBack(container, after)
  }
  return after.order_id
}

async function giveUp(container: MedusaContainer, completion: CartCompletion, reason: Message): Promise<void> {
  const gateway = gatewayIn(container)
  const after = await gateway.cartCompletions.giveBack(completion.transaction_id, reason)
  if (after.state === "giving_back") {
    await giveMoneyBack(container, after)
  }
}

/** Why another try cannot succeed; null when it can. A changed total may be a change that Medusa is rolling back. */
async function whyNever(
  container: MedusaContainer,
  completion: CartCompletion,
  record: PaymentRecord
): Promise<Message | null> {
  if (completion.payment_session_id === null) {
    // A renewal's cart is still to be made.
    return null
  }
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "cart",
    fields: ["id", "currency_code", "total", "raw_total", "items.*"],
    filters: { id: completion.cart_id },
  })
  const cart = data[0] as unknown as { currency_code: string; raw_total: BigNumberInput } | undefined
  if (cart === undefined) {
    return messageOf("cart.gone")
  }
  const total = await gatewayIn(container).cashOrders.cartTotal(record)
  const same = cart.currency_code.toUpperCase() === record.currency && toMinor(cart.raw_total) === total
  return same || completion.attempts === 0 ? null : messageOf("cart.changed")
}

/**
 * Gives every paid cart that is due its order, or its money back, and every free one its subscriptions. Any number of
 * processes may run it.
 */
export async function completeDuePaidCarts(scope: MedusaContainer, stop?: AbortSignal): Promise<void> {
  const { cartCompletions } = gatewayIn(scope)
  const due = new DueWork<Completion>(scope.resolve(ContainerRegistrationKeys.LOGGER), DUE_WORK.paidCart, {
    id: ({ cart_id, transaction_id }) => cart_id ?? transaction_id,
    claim: (limit, lease) => cartCompletions.claim(limit, lease),
    work: (completion) => completeOrGiveBack(scope, completion),
  })
  await due.run({ stop })
  await beginDueFreePlans(scope, stop)
}

async function completeOrGiveBack(scope: MedusaContainer, completion: Completion): Promise<void> {
  if (completion.state === "giving_back") {
    await giveMoneyBack(scope, completion)
  } else {
    await completePaidCart(scope, completion.transaction_id)
  }
}
