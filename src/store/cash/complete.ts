import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import type { CashOrder } from "../../modules/gateway/cash/records"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import { cashOrderOf } from "../../providers/gateway-cod/amounts"
import { orderOfCart } from "../../providers/gateway-payment/cart"
import { withMedusaErrors } from "../../providers/gateway-payment/errors"
import { toMinor } from "../../providers/gateway-payment/session"
import { changed } from "../cart/completion-checks"
import { endOtherCheckout } from "../cart/guard"
import { messageOf } from "../../i18n/message"
import { translate } from "../../i18n/translate"

type Cart = {
  id: string
  raw_total: BigNumberInput
  currency_code: string
  payment_collection?: { payment_sessions?: { id: string }[] }
}

/** One run's right to make the order of a cash order. */
export type CashRun = { cash_order_id: string; token: string }

/**
 * A cart that pays nothing online becomes an order at once. Refuses one whose sums are not those that the shopper was
 * shown, by the rules of now, and lets one run at a time make the order, in whatever process; null: the cart has its
 * order, and this run only looks it up.
 */
export async function beginCashOrder(
  container: MedusaContainer,
  cart: Cart,
  order: CashOrder
): Promise<CashRun | null> {
  const { PAYMENT_REQUIRES_MORE_ERROR, NOT_ALLOWED } = MedusaError.Types
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  if ((await orderOfCart(query, cart.id)) !== null) {
    return null
  }
  const now = await cashOrderOf(cradleOf(container), order.payment_session_id, toMinor(cart.raw_total))
  const { total, advance } = now
  if (total !== BigInt(order.total_minor) || cart.currency_code.toUpperCase() !== order.currency) {
    throw new MedusaError(NOT_ALLOWED, "The amount to pay in cash is not the cart's total; make a new payment session")
  }
  if (advance > 0n) {
    throw new MedusaError(PAYMENT_REQUIRES_MORE_ERROR, "An advance is due now; make a new payment session")
  }
  const { cashCodes, cashOrders } = gatewayIn(container)
  // The phone of now: a code was sent to another one if the address has changed since.
  if (await cashCodes.isNeeded({ ...now, advance_minor: 0 })) {
    throw new MedusaError(NOT_ALLOWED, translate(messageOf("error.CASH_CODE_NEEDED")), "CASH_CODE_NEEDED")
  }
  const token = await cashOrders.lock(order.id)
  if (token === null) {
    throw beingCompleted()
  }
  const run = { cash_order_id: order.id, token }
  try {
    await requireAlone(container, cart, order)
  } catch (error) {
    // A step that throws is not rolled back itself.
    await endCashRun(container, run)
    throw error
  }
  return run
}

/**
 * Cart and cash order were read before the lock: another run may have made the order, or a checkout of the same cart may
 * have ended this one. Such a checkout ends now; one that is paid, or being paid, keeps the cart.
 */
async function requireAlone(container: MedusaContainer, cart: Cart, order: CashOrder): Promise<void> {
  const { cashOrders } = gatewayIn(container)
  const now = await cashOrders.find(order.id)
  const made = await orderOfCart(container.resolve(ContainerRegistrationKeys.QUERY), cart.id)
  if (now?.state !== "placing" || made !== null) {
    throw beingCompleted()
  }
  const sessions = (cart.payment_collection?.payment_sessions ?? []).map(({ id }) => id)
  await withMedusaErrors(async () => {
    for (const other of sessions.filter((id) => id !== order.payment_session_id)) {
      await endOtherCheckout(container, other)
    }
  })
}

function beingCompleted(): MedusaError {
  return new MedusaError(MedusaError.Types.NOT_ALLOWED, "The cart is being completed already, or paid in another way")
}

export async function endCashRun(container: MedusaContainer, { cash_order_id, token }: CashRun): Promise<void> {
  await gatewayIn(container).cashOrders.unlock(cash_order_id, token)
}

/** Before an advance is taken: its order can be made, by the same rules. Throws CART_CHANGED. */
export async function requireSameAdvance(container: MedusaContainer, record: PaymentRecord): Promise<void> {
  const order = await gatewayIn(container).cashOrders.ofPaymentSession(record.payment_session_id)
  if (order === null) {
    return
  }
  if (order.state !== "placing") {
    throw changed(messageOf("refusal.cart_paid_otherwise"))
  }
  const { advance } = await cashOrderOf(cradleOf(container), order.payment_session_id, BigInt(order.total_minor))
  if (advance !== BigInt(record.amount_minor)) {
    throw changed(messageOf("refusal.cash_advance_changed"))
  }
}

function cradleOf(container: MedusaContainer) {
  return { gateway: gatewayIn(container), query: container.resolve(ContainerRegistrationKeys.QUERY) }
}
