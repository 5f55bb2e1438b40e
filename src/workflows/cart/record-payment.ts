import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules } from "@medusajs/framework/utils"
import type { CartCompletion } from "../../modules/gateway/services/cart-completion"

const FIELDS = [
  "payment_collection_id",
  "payment_collection.payments.id",
  "payment.currency_code",
  "payment.captures.id",
  "payment.captures.raw_amount",
]

type Session = {
  payment_collection_id: string
  payment_collection?: { payments?: { id: string }[] }
  payment?: { currency_code: string; captures: { id: string; raw_amount: BigNumberInput }[] } | null
}

/** `unpaid` is an order that is still being made, or was left half made. */
export type Recorded = "recorded" | "unpaid" | "paid otherwise"

/**
 * Makes sure that the order shows the money and that its cart is closed: a process that was killed after authorising
 * the payment left the one out, and a run that came too late and was rolled back has opened the other again.
 */
export async function recordPayment(
  container: MedusaContainer,
  completion: CartCompletion,
  order_id: string
): Promise<Recorded> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "payment_session",
    fields: FIELDS,
    filters: { id: completion.payment_session_id ?? "" },
  })
  const session = data[0] as unknown as Session | undefined
  const payment = session?.payment
  if (!session || !payment) {
    return (session?.payment_collection?.payments ?? []).length > 0 ? "paid otherwise" : "unpaid"
  }
  const orders = container.resolve(Modules.ORDER)
  const ids = payment.captures.map(({ id }) => id)
  const known = await orders.listOrderTransactions({ order_id, reference: "capture", reference_id: ids }, { select: ["id", "reference_id"] })
  const missing = payment.captures.filter(({ id }) => !known.some(({ reference_id }) => reference_id === id))
  if (missing.length > 0) {
    await orders.addOrderTransactions(
      missing.map(({ id, raw_amount }) => ({
        order_id,
        amount: MathBN.convert(raw_amount),
        currency_code: payment.currency_code,
        reference: "capture",
        reference_id: id,
      }))
    )
    await container.resolve(ContainerRegistrationKeys.LINK).create({
      [Modules.ORDER]: { order_id },
      [Modules.PAYMENT]: { payment_collection_id: session.payment_collection_id },
    })
  }
  const carts = container.resolve(Modules.CART)
  const [open] = await carts.listCarts({ id: completion.cart_id, completed_at: null } as object, { select: ["id"] })
  if (open !== undefined) {
    await carts.updateCarts(open.id, { completed_at: new Date() } as object)
  }
  return "recorded"
}
