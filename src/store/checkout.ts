import type { MedusaContainer } from "@medusajs/framework/types"
import { messageOf } from "../i18n/message"
import { gatewayIn } from "../modules/gateway"
import { GatewayError } from "../modules/gateway/kernel/errors"
import type { PaymentOutcome, PaymentRecord } from "../modules/gateway/payments/records"
import type { TransactionStatus } from "../modules/gateway/payments/states"
import type GatewayModuleService from "../modules/gateway/service"
import type {
  CancelCheckoutInput,
  FollowedHint,
  FollowHintInput,
  PayCheckoutInput,
} from "../modules/gateway/store-port"
import { completePaidCart } from "./cart/complete-paid-cart"
import { planPurchases, requireUnchangedCart } from "./cart/guard"
import { whileLocked } from "./cart/lock"
import { requireSameBalance } from "./balance/guard"
import { markCart } from "./cart/partial-order"
import { requireSameAdvance } from "./cash/complete"
import { settleCashOrdersOf } from "./cash/settle"
import { notifyPaymentSessionSoon } from "./cart/notify-payment-session"
import { pageUrl } from "./page-url"

/**
 * Pays a session, for the hosted page and for the sandbox helper alike (decisions: Sandbox). A cart, or the balance of an
 * order, is compared with its checkout first (CART_CHANGED, 409), and has its order, or is on it, when this answers.
 */
export async function payCheckout(container: MedusaContainer, input: PayCheckoutInput): Promise<PaymentOutcome> {
  const gateway = gatewayIn(container)
  const pay = (keep: boolean) => gateway.payments.pay({ ...input, keep, page_url: pageUrl(gateway, input) })
  const record = await gateway.transactions.bySession(input.session_id)
  if (record.source === "verification") {
    return afterPayment(container, record, await pay(false))
  }
  if (record.subscription_id !== null) {
    return payRenewal(container, record, record.subscription_id, () => pay(false))
  }
  if (record.store_order_id !== null) {
    const paid = await whileLocked(container, record.store_order_id, async () => {
      await requireSameBalance(container, input.session_id)
      return pay(false)
    })
    return afterPayment(container, record, paid)
  }
  if (record.source !== "cart" || record.cart_id === null) {
    return pay(false)
  }
  const outcome = await whileLocked(container, record.cart_id, async () => {
    return pay(await guard(container, gateway, input.session_id))
  })
  return afterPayment(container, record, outcome)
}

/** A shopper pays a period: what the store has to send is there before any money moves, and ordered when this answers. */
async function payRenewal(
  container: MedusaContainer,
  { state, transaction_id }: PaymentRecord,
  subscription_id: string,
  pay: () => Promise<PaymentOutcome>
): Promise<PaymentOutcome> {
  const { billing } = gatewayIn(container)
  const reason = state === "OPEN" ? await billing.renewals.refusal(subscription_id) : null
  if (reason !== null) {
    throw new GatewayError(
      "INVALID_STATE_TRANSITION",
      messageOf(reason === "out_of_stock" ? "refusal.goods_out_of_stock" : "refusal.goods_not_sold")
    )
  }
  const outcome = await pay()
  if (outcome.status === "SUCCESS") {
    await completePaidCart(container, transaction_id)
  }
  return outcome
}

/**
 * Expires a checkout whose cart has changed, so that it cannot be paid later either. Answers whether the payment begins
 * subscriptions, which are recorded by then.
 */
async function guard(container: MedusaContainer, gateway: GatewayModuleService, session_id: string): Promise<boolean> {
  const record: PaymentRecord = await gateway.transactions.bySession(session_id)
  if (record.state !== "OPEN") {
    // Paid, or being paid: paying says so, and its cart may well be completed by now.
    return false
  }
  try {
    const { id } = await requireUnchangedCart(container, record)
    await requireSameAdvance(container, record)
    await markCart(container, id, record.transaction_id)
    return await planPurchases(container, record)
  } catch (error) {
    if (GatewayError.is(error) && error.code === "CART_CHANGED") {
      await gateway.payments.expireNow(session_id)
      await notifyPaymentSessionSoon(container, session_id)
    }
    throw error
  }
}

/** The shopper gives up before paying, on the hosted page or through the sandbox helper. */
export async function cancelCheckout(container: MedusaContainer, input: CancelCheckoutInput): Promise<PaymentOutcome> {
  const gateway = gatewayIn(container)
  const { session_id } = input
  const outcome = await gateway.payments.cancel({ session_id, page_url: pageUrl(gateway, input) })
  return afterPayment(container, await gateway.transactions.bySession(session_id), outcome)
}

/** The shopper has returned from the acquirer's page: asks for the payment's outcome and settles it. */
export async function confirmCheckout(container: MedusaContainer, input: CancelCheckoutInput): Promise<PaymentOutcome> {
  const gateway = gatewayIn(container)
  const { session_id } = input
  const outcome = await gateway.inquiries.confirm({ session_id, page_url: pageUrl(gateway, input) })
  return afterPayment(container, await gateway.transactions.bySession(session_id), outcome)
}

/** The shopper leaves the acquirer's page to pay in another way; an attempt that was paid meanwhile is settled. */
export async function leaveAttempt(container: MedusaContainer, input: CancelCheckoutInput): Promise<PaymentOutcome> {
  const gateway = gatewayIn(container)
  const { session_id } = input
  const outcome = await gateway.inquiries.leave({ session_id, page_url: pageUrl(gateway, input) })
  return afterPayment(container, await gateway.transactions.bySession(session_id), outcome)
}

/**
 * An acquirer, or the browser that comes from it, has said something about an attempt: asks the acquirer, settles what
 * it answers, and makes the order of a cart that is paid now. Errors: TRANSACTION_NOT_FOUND.
 */
export async function followHint(container: MedusaContainer, input: FollowHintInput): Promise<FollowedHint> {
  const gateway = gatewayIn(container)
  const record = await gateway.inquiries.hinted(input.attempt_id, input.hint, { back: input.back })
  const page = pageUrl(gateway, { session_id: record.session_id, public_url: input.public_url })
  const outcome = gateway.inquiries.outcome(record, page)
  return { state: record.state, outcome: await afterPayment(container, record, outcome) }
}

/** An admin has decided what became of a payment: its cart has its order, or its payment session knows why not. */
export async function afterDecision(
  container: MedusaContainer,
  record: PaymentRecord
): Promise<{ id: string; status: TransactionStatus }> {
  const gateway = gatewayIn(container)
  const outcome = gateway.inquiries.outcome(record, pageUrl(gateway, record))
  const { status } = await afterPayment(container, record, outcome)
  return { id: record.transaction_id, status }
}

/**
 * Order before redirect: before the shopper goes anywhere, a paid cart has its order, an unpaid one's payment session
 * knows why, a paid balance is on its order, and the money of a verification is on its way back. A task repeats what fails here; the payment's outcome
 * does not change.
 */
async function afterPayment<Outcome extends PaymentOutcome>(
  container: MedusaContainer,
  { source, session_id, cart_id }: Pick<PaymentRecord, "source" | "session_id" | "cart_id">,
  outcome: Outcome
): Promise<Outcome> {
  if (source === "verification" && outcome.status === "SUCCESS") {
    await gatewayIn(container).verificationReturns.run({ only: outcome.transaction_id })
  }
  if (source !== "cart" && source !== "order") {
    return outcome
  }
  if (outcome.status === "SUCCESS" || outcome.authorized) {
    await completePaidCart(container, outcome.transaction_id, { justPaid: true })
    // An advance is captured on its order; `order.placed` may come later than the redirect.
    await settleCashOrdersOf(container, cart_id ?? "")
  } else if (source === "cart" && outcome.status !== "PENDING") {
    await notifyPaymentSessionSoon(container, session_id)
  }
  return outcome
}
