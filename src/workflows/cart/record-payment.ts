import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules } from "@medusajs/framework/utils"
import type { CartCompletion } from "../../modules/gateway/services/cart-completion"

type Session = {
  payment_collection_id: string
  payment?: { currency_code: string; captures: { id: string; raw_amount: BigNumberInput }[] } | null
}

/**
 * Makes sure that the order shows the money: a process that was killed after authorising the payment left that
 * out. Answers false when the order was paid in another way than by this payment.
 */
export async function recordPayment(
  container: MedusaContainer,
  completion: CartCompletion,
  order_id: string
): Promise<boolean> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "payment_session",
    fields: ["payment_collection_id", "payment.currency_code", "payment.captures.id", "payment.captures.raw_amount"],
    filters: { id: completion.payment_session_id },
  })
  const session = data[0] as unknown as Session | undefined
  const payment = session?.payment
  if (!session || !payment) {
    return false
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
  return true
}
