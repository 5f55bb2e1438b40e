import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { createOrderPaymentCollectionWorkflow } from "@medusajs/medusa/core-flows"
import { messageOf } from "../../i18n/message"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import { formatAmount } from "../../modules/gateway/kernel/money/money"
import { onlineProviderAmong } from "../../modules/gateway/kernel/text/provider-id"
import type { PaymentRecord } from "../../modules/gateway/payments/records"
import { type OrderWithBalance, unpaidCollection } from "./outstanding"

/** Medusa's payment of a paid balance, with its captures and its collection. */
export type OrderPayment = {
  currency_code: string
  captures: { id: string; raw_amount: BigNumberInput }[]
  payment_collection: { id: string; status: string; raw_amount: BigNumberInput }
}

const FIELDS = [
  "payment.currency_code",
  "payment.captures.id",
  "payment.captures.raw_amount",
  "payment.payment_collection.id",
  "payment.payment_collection.status",
  "payment.payment_collection.raw_amount",
]

/** Medusa's captured payment of a payment session; null while there is none. */
export async function capturedBy(
  container: MedusaContainer,
  payment_session_id: string | null
): Promise<OrderPayment | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const filters = { id: payment_session_id ?? "" }
  const { data } = await query.graph({ entity: "payment_session", fields: FIELDS, filters })
  const payment = (data[0] as unknown as { payment?: OrderPayment | null } | undefined)?.payment
  return payment && payment.captures.length > 0 ? payment : null
}

/**
 * The payment session of the paid balance, on a collection of exactly its amount: a session that a killed run has left,
 * or a new one, which the payment provider binds to the money.
 */
export async function paymentSessionFor(
  container: MedusaContainer,
  { payment_session_id, amount_minor }: PaymentRecord,
  order: OrderWithBalance
): Promise<string> {
  const payments = container.resolve(Modules.PAYMENT)
  const amount = formatAmount(amount_minor)
  const [left] = payment_session_id === null ? [] : await payments.listPaymentSessions({ id: [payment_session_id] })
  if (left !== undefined) {
    return left.id
  }
  const { currency_code } = order
  const session = await payments.createPaymentSession(await collectionFor(container, order, amount), {
    provider_id: await onlineProvider(container),
    amount,
    currency_code,
    data: {},
  })
  return session.id
}

/** Medusa's own unpaid one takes the paid amount: two collections for one balance would leave one unpaid for ever. */
async function collectionFor(container: MedusaContainer, order: OrderWithBalance, amount: string): Promise<string> {
  const unpaid = unpaidCollection(order)
  if (unpaid !== null) {
    await container.resolve(Modules.PAYMENT).updatePaymentCollections(unpaid, { amount } as object)
    return unpaid
  }
  return newCollection(container, order.id, amount)
}

/** A payment collection of the order; `amount` is decimal text. */
export async function newCollection(container: MedusaContainer, order_id: string, amount: string): Promise<string> {
  // Its step takes exact text, though the workflow's type names numbers alone.
  const input = { order_id, amount: amount as unknown as number }
  const { result } = await createOrderPaymentCollectionWorkflow(container).run({ input })
  return (result as { id: string }[])[0].id
}

/** Our provider under the name that the host has given it; never that of cash, because a balance is paid online. */
export async function onlineProvider(container: MedusaContainer): Promise<string> {
  const enabled = await container.resolve(Modules.PAYMENT).listPaymentProviders({ is_enabled: true })
  const id = onlineProviderAmong(enabled.map(({ id: enabled_id }) => enabled_id))
  if (id === null) {
    throw new GatewayError("SERVICE_NOT_ENABLED", messageOf("refusal.provider_missing"))
  }
  return id
}
