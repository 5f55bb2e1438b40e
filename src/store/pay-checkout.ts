import type { MedusaContainer } from "@medusajs/framework/types"
import { messageOf } from "../i18n/message"
import { GATEWAY_MODULE } from "../modules/gateway"
import { GatewayError } from "../modules/gateway/kernel/errors"
import type { PaymentOutcome, PaymentRecord } from "../modules/gateway/payments/records"
import type { PayWith } from "../modules/gateway/payments/service"
import type GatewayModuleService from "../modules/gateway/service"
import { afterPayment } from "./cart/after-payment"
import { completePaidCart } from "./cart/complete-paid-cart"
import { requireUnchangedCart, whileCartIsLocked } from "./cart/guard"
import { markCart } from "./cart/partial-order"
import { planPurchases } from "./cart/plan-purchases"
import { notifyPaymentSessionSoon } from "./cart/notify-payment-session"

export type PayCheckoutInput = PayWith & {
  session_id: string
  /** Of the browser that may use the customer's saved methods; absent: none may be used or saved. */
  account_key?: string | null
  /** A decline ends the payment; absent: the shopper may try again. */
  final?: boolean
  /** Of the acquirer's page; absent: English. */
  language?: "en" | "bn"
  /** Where this deployment is reached; absent: GATEWAY_PUBLIC_URL, or the page's own origin. */
  public_url?: string
  /** The shopper's address on the hosted page; absent: a decline is not counted. */
  visitor_address?: string
}

/**
 * Pays a session, for the hosted page and for the sandbox helper alike (decisions: Sandbox). A cart is compared with
 * its checkout first (CART_CHANGED, 409), and has its order when this answers.
 */
export async function payCheckout(container: MedusaContainer, input: PayCheckoutInput): Promise<PaymentOutcome> {
  const gateway = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
  const pay = (keep: boolean) => gateway.payments.pay({ ...input, keep, page_url: pageUrl(gateway, input) })
  const record = await gateway.transactions.bySession(input.session_id)
  if (record.subscription_id !== null) {
    return payRenewal(container, record, record.subscription_id, () => pay(false))
  }
  if (record.source !== "cart" || record.cart_id === null) {
    return pay(false)
  }
  const outcome = await whileCartIsLocked(container, record.cart_id, async () => {
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
  const { billing } = container.resolve<GatewayModuleService>(GATEWAY_MODULE)
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

/** The session's own page. */
export function pageUrl(
  gateway: GatewayModuleService,
  { session_id, public_url }: { session_id: string; public_url?: string }
): string {
  const origin = public_url ?? gateway.options.publicUrl ?? ""
  return `${origin.replace(/\/$/, "")}/pay/${session_id}`
}
