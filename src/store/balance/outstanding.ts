import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN, Modules, PaymentCollectionStatus } from "@medusajs/framework/utils"
import { gatewayIn } from "../../modules/gateway"
import { formatAmount, type Minor } from "../../modules/gateway/kernel/money/money"
import { minorOf } from "../../providers/gateway-payment/session"
import { whileLocked } from "../cart/lock"
import { outstanding, type OrderBooks, readBooks } from "../refunds/order-books"
import { readOrder } from "../returns/order"
import { claimedValue } from "../returns/propose"
import { sum } from "../refunds/medusa-payment"

const FIELDS = [
  "id",
  "status",
  "display_id",
  "custom_display_id",
  "currency_code",
  "email",
  "locale",
  // With it Medusa counts what is outstanding from the lines as they are: the stored count leaves out requested returns.
  "total",
  "summary.*",
  "transactions.*",
  "customer.first_name",
  "customer.last_name",
  "customer.phone",
  "shipping_address.*",
  "billing_address.*",
  "payment_collections.id",
  "payment_collections.status",
  "payment_collections.payments.raw_amount",
  "payment_collections.payments.canceled_at",
  "payment_collections.payments.payment_session.id",
  "payment_collections.payments.captures.id",
]

type Person = { first_name?: string | null; last_name?: string | null; phone?: string | null }

type Payment = {
  payment_session?: { id: string } | null
  raw_amount: BigNumberInput
  canceled_at: Date | string | null
  captures: { id: string }[] | null
}

/** A Medusa order with what collecting its balance needs. */
export type OrderWithBalance = Pick<OrderBooks, "id" | "status" | "currency_code" | "summary" | "transactions"> & {
  display_id: number | string | null
  custom_display_id?: string | null
  email: string | null
  locale?: string | null
  customer: Person | null
  shipping_address: Person | null
  billing_address: Person | null
  payment_collections: { id: string; status: string; payments: Payment[] | null }[]
}

/** `due`: what can be collected, in hundredths of the order's currency; zero or less when there is nothing. */
export type OrderBalance = { order: OrderWithBalance; due: Minor; isCancelled: boolean }

/** Null: there is no such order, or it is deleted. */
export async function readBalance(container: MedusaContainer, order_id: string): Promise<OrderBalance | null> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "order", fields: FIELDS, filters: { id: order_id } })
  const order = data[0] as unknown as OrderWithBalance | undefined
  if (order === undefined) {
    return null
  }
  const due = minorOf(MathBN.sub(outstanding(order), await notShownYet(container, order)))
  const unpaid = due > 0n ? due - (await claimedAndDue(container, order_id)) : due
  return { order, due: due > 0n && unpaid < 0n ? 0n : unpaid, isCancelled: order.status === "canceled" }
}

/** What claimed goods cost that were not refunded: Medusa counts it as outstanding, and nobody pays it. */
async function claimedAndDue(container: MedusaContainer, order_id: string): Promise<Minor> {
  const order = await readOrder(container, order_id)
  const { credit_lines } = await readBooks(container, order_id)
  const value = order === null ? 0 : await claimedValue(container, order)
  const left = minorOf(MathBN.sub(value, sum(credit_lines.map(({ raw_amount }) => raw_amount))))
  return left > 0n ? left : 0n
}

/**
 * What comes of the order's payments and is not among its transactions yet: Medusa counts it as outstanding. Medusa does
 * not know that the rest of a captured payment was released, or of an order's cash given up: of these comes what was
 * taken. A capture counts once its transaction is there: a process may die between the two, and what was paid would be
 * asked for again.
 */
async function notShownYet(
  container: MedusaContainer,
  { payment_collections, transactions }: OrderWithBalance
): Promise<BigNumberInput> {
  const { orderCaptures, cashOrders } = gatewayIn(container)
  const payments = payment_collections.flatMap((collection) => collection.payments ?? [])
  const sessions = payments.flatMap(({ payment_session }) => payment_session?.id ?? [])
  const taken = new Map([...(await orderCaptures.taken(sessions)), ...(await cashOrders.taken(sessions))])
  const shown = (captures: Payment["captures"]) =>
    transactions.filter(({ reference_id }) => captures?.some(({ id }) => id === reference_id))
  return sum(
    payments
      .filter(({ canceled_at }) => !canceled_at)
      .map(({ payment_session, raw_amount, captures }) => {
        const minor = taken.get(payment_session?.id ?? "")
        const comes = minor === undefined ? raw_amount : formatAmount(minor)
        return MathBN.sub(comes, sum(shown(captures).map((transaction) => transaction.raw_amount)))
      })
  )
}

const UNPAID: readonly string[] = [PaymentCollectionStatus.NOT_PAID, PaymentCollectionStatus.AWAITING]

/** The collection of the order that nothing was paid of; Medusa keeps one while something is outstanding. */
export function unpaidCollection({ payment_collections }: OrderWithBalance): string | null {
  return payment_collections.find(isUnpaid)?.id ?? null
}

export function isUnpaid({ status, payments }: { status: string; payments: object[] | null }): boolean {
  return UNPAID.includes(status) && (payments ?? []).length === 0
}

/**
 * Undoes what Medusa does to a collection of reserved money, or of cash that is to come, when its order changes: it calls
 * the collection cancelled, and makes one of all that is outstanding, which an admin could mark as paid although the
 * promised money still comes. That one is left what nothing else pays. `cancelled`: the collection to be shown as
 * authorised again; null: it is.
 */
export async function mendCollections(
  container: MedusaContainer,
  order_id: string,
  cancelled: string | null
): Promise<void> {
  await whileLocked(container, order_id, async () => {
    const payments = container.resolve(Modules.PAYMENT)
    const change = (collection: string, to: object) => payments.updatePaymentCollections(collection, to as object)
    if (cancelled !== null) {
      await change(cancelled, { status: PaymentCollectionStatus.AUTHORIZED })
    }
    const found = await readBalance(container, order_id)
    for (const [nth, { id }] of (found?.order.payment_collections ?? []).filter(isUnpaid).entries()) {
      const isNone = nth > 0 || (found?.due ?? 0n) <= 0n
      await change(
        id,
        isNone ? { status: PaymentCollectionStatus.CANCELED } : { amount: formatAmount(found?.due ?? 0n) }
      )
    }
  })
}

/** The number that the shop shows for the order. */
export function numberOf({ custom_display_id, display_id, id }: OrderWithBalance): string {
  return custom_display_id || (display_id === null ? id : String(display_id))
}
