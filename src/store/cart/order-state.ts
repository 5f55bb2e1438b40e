import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import type { CartCompletion } from "../../modules/gateway/checkout/records"
import { shownCaptures } from "../captures/medusa-captures"
import { outstanding, readBooks } from "../refunds/order-books"

/**
 * What an order of a paid cart says of the payment. `recorded`: it shows the money. `unrecorded`: everything else of it
 * is there, or the merchant works with it. `partial`: it is still being made, or nobody will finish it. `cancelled`: the
 * merchant has cancelled it before Medusa had a payment. `paid otherwise`: it is paid by another payment.
 */
type OrderState = "recorded" | "unrecorded" | "partial" | "cancelled" | "paid otherwise"

/** A payment's captures, and the order that is to show them. */
export type Captured = {
  order_id: string
  payment_collection_id: string
  currency_code: string
  captures: { id: string; raw_amount: BigNumberInput }[]
}

/** What says whether a payment of Medusa still holds money. */
type PaymentAmounts = {
  id: string
  amount: BigNumberInput
  canceled_at: Date | string | null
  refunds?: { amount: BigNumberInput }[]
}
type Payment = { id: string; created_at: Date | string } & Omit<Captured, "order_id" | "payment_collection_id">
type Session = {
  payment_collection_id: string
  payment_collection?: { payments?: (PaymentAmounts & { captured_at: Date | string | null })[] } | null
  payment?: Payment | null
}

const OTHERS = ["id", "amount", "captured_at", "canceled_at", "refunds.amount"]
const OWN = ["id", "created_at", "currency_code", "captures.id", "captures.raw_amount"]
const FIELDS = [
  "payment_collection_id",
  ...OTHERS.map((field) => `payment_collection.payments.${field}`),
  ...OWN.map((field) => `payment.${field}`),
]

/** `captured`: the captures of the cart's payment; null while Medusa has no payment of it. */
export type OrderReading = { state: OrderState; captured: Captured | null }

/**
 * What an order of the cart says of the cart's payment; changes nothing. A payment session that is gone says nothing: then
 * the order is `unrecorded`, without captures.
 */
export async function readOrder(
  container: MedusaContainer,
  { payment_session_id }: Pick<CartCompletion, "payment_session_id">,
  order_id: string
): Promise<OrderReading> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const filters = { id: payment_session_id ?? "" }
  const { data } = await query.graph({ entity: "payment_session", fields: FIELDS, filters })
  const session = data[0] as unknown as Session | undefined
  if (session === undefined) {
    return { state: "unrecorded", captured: null }
  }
  const { payment_collection_id, payment_collection, payment } = session
  const others = (payment_collection?.payments ?? []).filter((one) => one.id !== payment?.id && holdsMoney(one))
  const shown = (await shownCaptures(container, order_id)).map(({ reference_id }) => reference_id)
  const captures = payment?.captures ?? []
  // Money of another collection may be a balance of the order, which leaves it what its own payment is for.
  const isPaid =
    shown.some((id) => captures.every((capture) => capture.id !== id)) && (await isPaidUp(container, order_id))
  if (!payment) {
    const state = shown.length > 0 ? "unrecorded" : await stateWithoutPayment(container, order_id)
    return { state: others.length > 0 || isPaid ? "paid otherwise" : state, captured: null }
  }
  const { currency_code } = payment
  const captured = { order_id, payment_collection_id, currency_code, captures }
  if (captures.length > 0 && captures.every(({ id }) => shown.includes(id))) {
    return { state: "recorded", captured }
  }
  const isOthers = isPaid || others.some(({ captured_at }) => captured_at === null)
  const isPartial = !isOthers && shown.length === 0 && (await isUnfinished(container, order_id, payment))
  // Of an authorised payment nothing is left to record.
  const complete = captures.length === 0 ? "recorded" : "unrecorded"
  return { state: isOthers ? "paid otherwise" : isPartial ? "partial" : complete, captured }
}

/** Whether a payment of Medusa is authorised or captured, and has not gone back whole. */
function holdsMoney({ amount, canceled_at, refunds }: PaymentAmounts): boolean {
  return canceled_at === null && MathBN.gt(amount, MathBN.sum(0, ...(refunds ?? []).map((refund) => refund.amount)))
}

/**
 * Whether a killed process left this order unfinished. Medusa authorises the payment when everything else of the order
 * is written, and records the capture after that. So an order that is older than the payment is complete. A younger one
 * is of a later run, which found the payment of a run that was rolled back: it is complete once the capture is recorded.
 */
async function isUnfinished(container: MedusaContainer, order_id: string, payment: Payment): Promise<boolean> {
  const order = await findOrder(container, order_id)
  // Medusa's roll-back deletes an order even when it could not undo the links to it before.
  return order === undefined || (new Date(order.created_at) > new Date(payment.created_at) && isUntouched(order))
}

/** Whether nothing of what the order costs is left to pay. */
async function isPaidUp(container: MedusaContainer, order_id: string): Promise<boolean> {
  return MathBN.lte(outstanding(await readBooks(container, order_id)), 0)
}

async function stateWithoutPayment(container: MedusaContainer, order_id: string): Promise<OrderState> {
  const order = await findOrder(container, order_id)
  if (order === undefined || isUntouched(order)) {
    return "partial"
  }
  return order.status === "canceled" ? "cancelled" : "unrecorded"
}

type Order = { created_at: Date | string; status: string; version: number; fulfillments?: unknown[] }

async function findOrder(container: MedusaContainer, order_id: string): Promise<Order | undefined> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const fields = ["id", "created_at", "status", "version", "fulfillments.id"]
  const { data } = await query.graph({ entity: "order", fields, filters: { id: order_id } })
  return data[0] as unknown as Order | undefined
}

/** Whether nobody has shipped, changed, completed or cancelled the order: what a merchant works with is no leftover. */
function isUntouched({ status, version, fulfillments }: Order): boolean {
  return status === "pending" && version === 1 && (fulfillments ?? []).length === 0
}
