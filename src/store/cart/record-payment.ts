import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules } from "@medusajs/framework/utils"
import type { PaidCart, RightToMake } from "./paid-cart"

const FIELDS = [
  "payment_collection_id",
  "payment_collection.payments.id",
  "payment.created_at",
  "payment.currency_code",
  "payment.captures.id",
  "payment.captures.raw_amount",
]

type Captures = { id: string; raw_amount: BigNumberInput }[]
type Session = {
  payment_collection_id: string
  payment_collection?: { payments?: { id: string }[] }
  payment?: ({ created_at: Date | string; currency_code: string } & Pick<Captured, "captures">) | null
}

/** `unpaid`: an order that is still being made, or a partial one. */
export type Recorded = "recorded" | "unpaid" | "paid otherwise"

/** `unrecorded`: everything of the order is there, but it does not show the payment. */
export type OrderState = Recorded | "unrecorded"

/** What an order of the cart says of the payment, without changing anything. */
export async function stateOfOrder(
  container: MedusaContainer,
  cart: Pick<PaidCart, "payment_session_id">,
  order_id: string
): Promise<OrderState> {
  return (await read(container, cart, order_id)).state
}

/**
 * Makes sure that the order shows the payment and that its cart is closed. A process killed after authorising the
 * payment did not record it; a late run that was rolled back has opened the cart again.
 */
export async function recordPayment(
  container: MedusaContainer,
  cart: PaidCart,
  order_id: string,
  right: RightToMake
): Promise<Recorded> {
  const { state, captured } = await read(container, cart, order_id)
  if (state === "unrecorded") {
    if (captured === null || !(await addMissing(container, captured, right))) {
      return "unpaid"
    }
  } else if (state !== "recorded") {
    return state
  }
  const carts = container.resolve(Modules.CART)
  const [open] = await carts.listCarts({ id: cart.cart_id, completed_at: null } as object, { select: ["id"] })
  if (open !== undefined) {
    await carts.updateCarts(open.id, { completed_at: new Date() } as object)
  }
  return "recorded"
}

type Captured = { order_id: string; payment_collection_id: string; currency_code: string; captures: Captures }

async function read(
  container: MedusaContainer,
  { payment_session_id }: Pick<PaidCart, "payment_session_id">,
  order_id: string
): Promise<{ state: OrderState; captured: Captured | null }> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const filters = { id: payment_session_id ?? "" }
  const { data } = await query.graph({ entity: "payment_session", fields: FIELDS, filters })
  const session = data[0] as unknown as Session | undefined
  if (!session || !session.payment) {
    const others = session?.payment_collection?.payments ?? []
    return { state: others.length > 0 ? "paid otherwise" : "unpaid", captured: null }
  }
  const captured = { order_id, payment_collection_id: session.payment_collection_id, ...session.payment }
  if (await isPartial(container, captured)) {
    return { state: "unpaid", captured }
  }
  const isShown = (await missing(container, captured)).length === 0
  return { state: isShown ? "recorded" : "unrecorded", captured }
}

/**
 * Whether a killed process left this order unfinished. Medusa authorises the payment when everything else of the order
 * is written, and records the capture after that. So an order that is older than the payment is complete. A younger one
 * is of a later run, which found the payment of a run that was rolled back: it is complete once the capture is recorded.
 */
export async function isPartial(
  container: MedusaContainer,
  payment: { order_id: string; created_at: Date | string; captures: readonly { id: string }[] }
): Promise<boolean> {
  if ((await missing(container, payment)).length === 0) {
    return false
  }
  const orders = container.resolve(Modules.ORDER)
  const [order] = await orders.listOrders({ id: [payment.order_id] }, { select: ["id", "created_at"] })
  return order !== undefined && new Date(order.created_at) > new Date(payment.created_at)
}

/** Captures that the order does not show. */
async function missing<Capture extends { id: string }>(
  container: MedusaContainer,
  { order_id, captures }: { order_id: string; captures: readonly Capture[] }
): Promise<Capture[]> {
  const of = { order_id, reference: "capture", reference_id: captures.map(({ id }) => id) }
  const known = await container.resolve(Modules.ORDER).listOrderTransactions(of, { select: ["id", "reference_id"] })
  return captures.filter(({ id }) => !known.some(({ reference_id }) => reference_id === id))
}

/**
 * Only with the right to make the order: the run that has it may be about to add them itself, and nothing in Medusa
 * keeps an order from showing the same money twice. False while it is another's; a killed run's right runs out.
 */
async function addMissing(container: MedusaContainer, captured: Captured, right: RightToMake): Promise<boolean> {
  const added = await right(async () => {
    const { order_id, currency_code, payment_collection_id } = captured
    const left = await missing(container, captured)
    if (left.length === 0) {
      // Whoever had the right before has added them in the meantime.
      return true
    }
    await container.resolve(Modules.ORDER).addOrderTransactions(
      left.map(({ id, raw_amount }) => ({
        order_id,
        amount: MathBN.convert(raw_amount),
        currency_code,
        reference: "capture",
        reference_id: id,
      }))
    )
    await container.resolve(ContainerRegistrationKeys.LINK).create({
      [Modules.ORDER]: { order_id },
      [Modules.PAYMENT]: { payment_collection_id },
    })
    return true
  })
  return added ?? (await missing(container, captured)).length === 0
}
