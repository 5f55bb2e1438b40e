import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { RemotePayment } from "../../modules/gateway/payments/remote-payments"
import { orderOfCart } from "../../providers/gateway-payment/cart"
import { whenCartIsFree } from "../cart/guard"
import { readOrder } from "../cart/order-state"
import { removePartialOrder } from "../cart/partial-order"
import { recordPayment } from "../cart/record-payment"

/** As long as Medusa locks a cart that is being completed: a younger order may be one that is being made. */
const MADE_WITHIN_MS = 2 * 60 * 1_000
/** Of a payment session whose provider has taken, or will take, the money of an order. */
const PAYING = ["authorized", "captured", "pending_authorization"]

/**
 * `partial`: what was done about an order that is not whole; none may be made as long as one is there. `isOthers`: the
 * order is paid by another payment than this one.
 */
export type MadeOrder = { order_id: string | null; partial: "none" | "there" | "removed"; isOthers?: boolean }

type Session = { payment_collection_id: string; payment?: { id: string } | null }
type Payment = Pick<RemotePayment, "payment_session_id" | "transaction_id">

/**
 * The order that the cart of a paid checkout has become. Medusa does not finish one whose process was killed, and with
 * its workflow engine in memory it sometimes does not roll back one whose goods are sold out: what is left looks like an
 * order, and has neither goods nor money. Such an order is removed, so that it is made again or the money goes back.
 */
export async function madeOrder(
  container: MedusaContainer,
  payment: Payment,
  cart_id: string | null
): Promise<MadeOrder> {
  const linked = await linkedOrder(container, cart_id)
  if (cart_id === null || linked === null) {
    return { order_id: null, partial: "none" }
  }
  if (!(await isOld(container, linked))) {
    // Nothing is written beside a run that may be making it.
    const whole = await wholeOrder(container, payment, cart_id)
    return { order_id: whole, partial: whole === null ? "there" : "none" }
  }
  const { payment_session_id, transaction_id } = payment
  const cart = { cart_id, payment_session_id, transaction_id }
  const right = whenCartIsFree(container, cart_id)
  const recorded = await recordPayment(container, cart, linked, right)
  if (recorded !== "unpaid") {
    return { order_id: linked, partial: "none", isOthers: recorded === "paid otherwise" }
  }
  if (await isPaidByNothingElse(container, payment_session_id)) {
    await removePartialOrder(container, cart, right)
  }
  return { order_id: null, partial: (await linkedOrder(container, cart_id)) === null ? "removed" : "there" }
}

/** The same without changing anything: null while the order is not whole. */
export async function wholeOrder(
  container: MedusaContainer,
  payment: Payment,
  cart_id: string | null
): Promise<string | null> {
  const linked = await linkedOrder(container, cart_id)
  if (linked === null) {
    return null
  }
  const { state } = await readOrder(container, payment, linked)
  return state === "recorded" || state === "paid otherwise" ? linked : null
}

async function linkedOrder(container: MedusaContainer, cart_id: string | null): Promise<string | null> {
  return cart_id === null ? null : orderOfCart(container.resolve(ContainerRegistrationKeys.QUERY), cart_id)
}

/** Older than Medusa takes to make an order; an order of which only the links are left counts as old. */
async function isOld(container: MedusaContainer, order_id: string): Promise<boolean> {
  const [order] = await container
    .resolve(Modules.ORDER)
    .listOrders({ id: [order_id] }, { select: ["id", "created_at"] })
  return order === undefined || new Date(order.created_at).getTime() <= Date.now() - MADE_WITHIN_MS
}

/**
 * An order that waits for another provider's money, such as a bank transfer, shows no payment either. Without a payment
 * of Medusa, any other payment session may be the one that it waits for.
 */
async function isPaidByNothingElse(container: MedusaContainer, payment_session_id: string): Promise<boolean> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = ["id", "payment_collection_id", "payment.id"]
  const { data } = await query.graph({ entity: "payment_session", fields, filters: { id: payment_session_id } })
  const [session] = data as unknown as Session[]
  if (session === undefined) {
    return false
  }
  const { data: all } = await query.graph({
    entity: "payment_session",
    fields: ["id", "status"],
    filters: { payment_collection_id: session.payment_collection_id },
  })
  return all.every(({ id, status }) => id === payment_session_id || (session.payment && !PAYING.includes(status)))
}
