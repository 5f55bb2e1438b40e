import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { messageOf } from "../../i18n/message"
import { gatewayIn } from "../../modules/gateway"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import { isGivenBack, toMinor } from "../../providers/gateway-payment/session"
import { planPurchaseOf } from "../../providers/gateway-payment/plan-lines"
import { changed, CHECKED_FIELDS, requireCompletable, type CheckedCart } from "./completion-checks"
import { notifyPaymentSessionSoon } from "./notify-payment-session"
import { settleSoon } from "../cash/settle"

/** What the checkout is compared with, and what completing the cart requires. */
const FIELDS = [
  "id",
  "completed_at",
  "currency_code",
  "total",
  "raw_total",
  "payment_collection.payment_sessions.id",
  ...CHECKED_FIELDS,
]

type CartNow = CheckedCart & {
  id: string
  completed_at: Date | null
  currency_code: string
  raw_total: BigNumberInput
}

/**
 * Before any money moves: compares total and currency with the cart, makes the checks that completing it will make, and
 * ends what else could pay it. Answers the cart. Throws CART_CHANGED.
 */
export async function requireUnchangedCart(container: MedusaContainer, record: PaymentRecord): Promise<{ id: string }> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "cart", fields: FIELDS, filters: { id: record.cart_id ?? "" } })
  const cart = data[0] as unknown as CartNow | undefined
  if (cart === undefined || cart.completed_at !== null) {
    throw changed(messageOf("refusal.cart_closed"))
  }
  const sessions = (cart.payment_collection?.payment_sessions ?? []).map(({ id }) => id)
  if (!sessions.includes(record.payment_session_id ?? "")) {
    throw changed(messageOf("refusal.cart_paid_otherwise"))
  }
  const total = await gatewayIn(container).cashOrders.cartTotal(record)
  if (cart.currency_code.toUpperCase() !== record.currency || toMinor(cart.raw_total) !== total) {
    throw changed(messageOf("refusal.cart_other_total"))
  }
  await requireCompletable(container, cart)
  for (const other of sessions.filter((id) => id !== record.payment_session_id)) {
    await endOtherCheckout(container, other)
  }
  return cart
}

/**
 * Medusa takes no lock when it makes a payment session: of two requests at once each leaves one. Completing the cart
 * takes the first that is open, so an open one beside the paid one would keep the cart from its order. Of two that are
 * paid at once, in whatever processes, each ends the other first: at most one takes money. An order in cash is ended
 * while it is placing, and has its own row locked before it ends a checkout: at most one of both makes the order.
 */
export async function endOtherCheckout(container: MedusaContainer, payment_session_id: string): Promise<void> {
  const gateway = gatewayIn(container)
  const other = await gateway.transactions.ofPaymentSession(payment_session_id)
  try {
    // The checkout first: an advance that is being paid, or is paid, keeps its cash order.
    if (other !== null && !isGivenBack(other)) {
      await gateway.payments.expireNow(other.session_id)
      await notifyPaymentSessionSoon(container, other.session_id)
    }
    const cash = await gateway.cashOrders.giveWay(payment_session_id)
    if (cash !== null) {
      await settleSoon(container, cash.id)
    }
  } catch (error) {
    if (GatewayError.is(error) && error.code === "INVALID_STATE_TRANSITION") {
      throw changed(messageOf("refusal.cart_paid_otherwise"))
    }
    throw error
  }
}

/**
 * Records which subscriptions a cart's payment begins, and answers whether there are any. CART_CHANGED when the cart's
 * contents may not be paid now, or would begin other subscriptions than the payment page shows.
 */
export async function planPurchases(container: MedusaContainer, record: PaymentRecord): Promise<boolean> {
  const gateway = gatewayIn(container)
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const purchase = await planPurchaseOf(query, gateway, record, record.cart_id ?? "").catch((error: unknown) => {
    if (GatewayError.is(error)) {
      throw new GatewayError("CART_CHANGED", messageOf("refusal.cart_changed_since", { what: error.reason }))
    }
    throw error
  })
  await gateway.storePurchases.confirm(record, record.transaction_id, purchase)
  return purchase !== null
}
