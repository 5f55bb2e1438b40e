import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules } from "@medusajs/framework/utils"

const FIELDS = [
  "payment.id",
  "payment.currency_code",
  "payment.payment_collection_id",
  "payment.captures.raw_amount",
  "payment.refunds.id",
  "payment.refunds.raw_amount",
  "payment.refunds.metadata",
]

/** Marks the Medusa refund that mirrors a refund of the gateway. */
export const REFUND_MARK = "gateway_refund_id"

export type MedusaRefund = { id: string; raw_amount: BigNumberInput; metadata: Record<string, unknown> | null }

export type MedusaPayment = {
  id: string
  currency_code: string
  payment_collection_id: string
  captures: { raw_amount: BigNumberInput }[]
  refunds: MedusaRefund[]
}

/** Medusa's payment of a payment session, and the order it belongs to; null while there is no such thing. */
export async function paymentOf(
  container: MedusaContainer,
  payment_session_id: string
): Promise<{ payment: MedusaPayment; order_id: string | null } | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "payment_session", fields: FIELDS, filters: { id: payment_session_id } })
  const payment = (data[0] as unknown as { payment?: MedusaPayment | null } | undefined)?.payment
  if (!payment) {
    return null
  }
  const { payment_collection_id } = payment
  const { data: links } = await query.graph({
    entity: "order_payment_collection",
    fields: ["order_id"],
    filters: { payment_collection_id },
  })
  return { payment, order_id: links[0]?.order_id ?? null }
}

/**
 * Removes refunds without money from the payment. They stay readable as deleted rows. The payment collection's sum is
 * computed again, which Medusa does only when it refunds itself.
 */
export async function removeRefunds(container: MedusaContainer, refund_ids: string[]): Promise<void> {
  if (refund_ids.length > 0) {
    const payments = container.resolve(Modules.PAYMENT) as unknown as {
      softDeleteRefunds(ids: string[]): Promise<unknown>
    }
    await payments.softDeleteRefunds(refund_ids)
  }
}

/** Writes what was refunded of a payment collection when it says something else; true when it did. `without` does not count. */
export async function countCollection(
  container: MedusaContainer,
  payment_collection_id: string,
  without?: string
): Promise<boolean> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "payment_collection",
    fields: ["id", "refunded_amount", "raw_refunded_amount", "payments.refunds.id", "payments.refunds.raw_amount"],
    filters: { id: payment_collection_id },
  })
  const collection = data[0] as unknown as
    { raw_refunded_amount: BigNumberInput | null; payments: { refunds: MedusaRefund[] }[] } | undefined
  if (collection === undefined) {
    return false
  }
  const counted = collection.payments.flatMap(({ refunds }) => refunds).filter(({ id }) => id !== without)
  const refunded = sum(counted.map(({ raw_amount }) => raw_amount))
  if (MathBN.eq(refunded, collection.raw_refunded_amount ?? 0)) {
    return false
  }
  // The module takes it, though its type does not name it.
  await container
    .resolve(Modules.PAYMENT)
    .updatePaymentCollections(payment_collection_id, { refunded_amount: refunded } as object)
  return true
}

export function sum(amounts: BigNumberInput[]): ReturnType<typeof MathBN.convert> {
  return amounts.reduce<ReturnType<typeof MathBN.convert>>(
    (total, amount) => MathBN.add(total, amount),
    MathBN.convert(0)
  )
}

/** What Medusa shows of a payment as refunded, read again. */
export async function readRefunds(container: MedusaContainer, payment_id: string): Promise<MedusaRefund[]> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "refund", fields: ["id", "raw_amount"], filters: { payment_id } })
  return data as unknown as MedusaRefund[]
}
