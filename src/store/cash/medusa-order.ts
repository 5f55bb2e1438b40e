import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { orderOfCart } from "../../providers/gateway-payment/cart"
import type { MedusaCapture } from "../captures/medusa-captures"

type Payment = {
  id: string
  canceled_at: Date | string | null
  currency_code: string
  payment_collection_id: string
  captures: MedusaCapture[]
}

const PAYMENT = ["id", "canceled_at", "currency_code", "payment_collection_id", "captures.*"]
const OTHERS = ["id", "canceled_at"].map((field) => `payment_collection.payments.${field}`)

/** Medusa's payment of a payment session; null while it has none, or when another payment pays its cart. */
export async function paymentOfCashOrder(
  container: MedusaContainer,
  payment_session_id: string
): Promise<Payment | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "payment_session",
    fields: [...PAYMENT.map((field) => `payment.${field}`), ...OTHERS],
    filters: { id: payment_session_id },
  })
  const session = data[0] as unknown as
    | { payment?: Payment | null; payment_collection?: { payments?: Pick<Payment, "id" | "canceled_at">[] } | null }
    | undefined
  const payment = session?.payment ?? null
  const others = (session?.payment_collection?.payments ?? []).filter(
    ({ id, canceled_at }) => id !== payment?.id && canceled_at === null
  )
  return others.length > 0 ? null : payment
}

/** The order that a cart has become, with the number that the shop shows; null while there is none. */
export async function orderMadeOf(
  container: MedusaContainer,
  cart_id: string
): Promise<{ id: string; number: string | null; status: string } | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const order_id = await orderOfCart(query, cart_id)
  if (order_id === null) {
    return null
  }
  const fields = ["id", "status", "display_id", "custom_display_id"]
  const { data } = await query.graph({ entity: "order", fields, filters: { id: order_id } })
  const order = data[0] as
    { status: string; display_id?: number | string | null; custom_display_id?: string | null } | undefined
  if (order === undefined) {
    return null
  }
  const number = order.custom_display_id ?? order.display_id ?? null
  return { id: order_id, number: number === null ? null : String(number), status: order.status }
}
