import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import {
  ChangeActionType,
  ContainerRegistrationKeys,
  MathBN,
  Modules,
  OrderChangeStatus,
  OrderChangeType,
} from "@medusajs/framework/utils"
import { sum } from "./medusa-payment"

/** Exact numbers, as Medusa calculates. */
export type Exact = ReturnType<typeof MathBN.convert>

const FIELDS = [
  "id",
  "version",
  "status",
  "currency_code",
  "metadata",
  "total",
  "raw_total",
  "summary.*",
  "transactions.*",
  "credit_lines.*",
]

type Transaction = {
  id: string
  version: number
  raw_amount: BigNumberInput
  reference: string | null
  reference_id: string | null
}
type CreditLine = { raw_amount: BigNumberInput; reference: string | null; reference_id: string | null }

export type OrderBooks = {
  id: string
  version: number
  status: string
  currency_code: string
  metadata: Record<string, unknown> | null
  raw_total: BigNumberInput
  summary: { raw_pending_difference: BigNumberInput; raw_transaction_total: BigNumberInput }
  transactions: Transaction[]
  credit_lines: CreditLine[]
}

/** What refunds have in Medusa's order transactions for a reference. */
const REFUND = "refund"
/** The reference of the credit lines that come with the gateway's refunds. */
const CREDIT = "gateway_refund"

export async function readBooks(container: MedusaContainer, order_id: string): Promise<OrderBooks> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph(
    { entity: "order", fields: FIELDS, filters: { id: order_id } },
    { throwIfKeyNotFound: true }
  )
  return data[0] as unknown as OrderBooks
}

/** The order's records for these references (a refund's id; its payment's id, where Medusa refunds several at once). */
export function refundedOn(books: OrderBooks, reference_ids: readonly string[]): Exact {
  const amounts = books.transactions
    .filter(({ reference, reference_id }) => reference === REFUND && reference_ids.includes(reference_id ?? ""))
    .map(({ raw_amount }) => raw_amount)
  return MathBN.mult(sum(amounts), -1)
}

type Counted = Pick<OrderBooks, "summary" | "transactions">

/** What is outstanding of the order by Medusa's own count; below zero, the store owes it. */
export function outstanding({ summary, transactions }: Counted): Exact {
  const paid = sum(transactions.map(({ raw_amount }) => raw_amount))
  return MathBN.add(summary.raw_pending_difference, MathBN.sub(summary.raw_transaction_total, paid))
}

/**
 * What the store owed by Medusa's own count before `refunded` was recorded, returns that are only asked for included;
 * zero when it owed nothing. The sum of the transactions is taken, not the summary's: two that are written at once may
 * leave one out of it.
 */
export function owed(books: Counted, refunded: BigNumberInput = 0): Exact {
  const debt = MathBN.sub(refunded, outstanding(books))
  return MathBN.gt(debt, 0) ? debt : MathBN.convert(0)
}

/** What the store owes for received goods: requested returns do not count. */
export function owedForReceived({ raw_total, transactions }: OrderBooks): Exact {
  const difference = MathBN.sub(sum(transactions.map(({ raw_amount }) => raw_amount)), raw_total)
  return MathBN.lt(difference, 0) ? MathBN.convert(0) : difference
}

/** What the store will owe once goods of this value are back: a return's fee, charged when it is requested, is less. */
export function owedAfter({ raw_total, transactions }: OrderBooks, value: BigNumberInput): Exact {
  const difference = MathBN.sub(sum(transactions.map(({ raw_amount }) => raw_amount)), raw_total)
  const debt = MathBN.add(difference, value)
  return MathBN.lt(debt, 0) ? MathBN.convert(0) : debt
}

/** Records `amount` more as refunded for this reference; of a negative amount, as much less for these references. */
export async function writeRefunded(
  container: MedusaContainer,
  books: OrderBooks,
  reference_ids: readonly string[],
  amount: BigNumberInput
): Promise<void> {
  const { id: order_id, currency_code } = books
  const left = MathBN.lt(amount, 0) ? await removeRecords(container, books, reference_ids, amount) : amount
  if (!MathBN.eq(left, 0)) {
    const reference_id = reference_ids[0]
    const data = { order_id, currency_code, amount: MathBN.mult(left, -1), reference: REFUND, reference_id }
    await container.resolve(Modules.ORDER).addOrderTransactions([data])
  }
}

/** Medusa's types leave it out. */
type Movable = { updateOrderTransactions(changes: { id: string; version: number }[]): Promise<unknown> }

/**
 * Removes records of refunds that never happened; returns what is left of `excess` because no record is that small. A
 * record of the opposite amount would do as well for the balance, but Medusa counts it as paid: the order would show its
 * money twice. Medusa takes a removed record off the summary of the record's own version: it is moved to the order's
 * version first, because a cancellation makes a new one.
 */
async function removeRecords(
  container: MedusaContainer,
  { version, transactions }: OrderBooks,
  reference_ids: readonly string[],
  excess: BigNumberInput
): Promise<BigNumberInput> {
  const orders = container.resolve(Modules.ORDER)
  const removed: Transaction[] = []
  let left: BigNumberInput = excess
  for (const record of transactions) {
    const isOne = record.reference === REFUND && reference_ids.includes(record.reference_id ?? "")
    if (isOne && MathBN.lt(record.raw_amount, 0) && MathBN.gte(record.raw_amount, left)) {
      removed.push(record)
      left = MathBN.sub(left, record.raw_amount)
    }
  }
  const older = removed.filter((record) => record.version !== version)
  if (older.length > 0) {
    await (orders as unknown as Movable).updateOrderTransactions(older.map(({ id }) => ({ id, version })))
  }
  if (removed.length > 0) {
    await orders.softDeleteOrderTransactions(removed.map(({ id }) => id))
  }
  return left
}

/**
 * A refund beyond what the store owes makes the order cheaper by the rest, as Medusa does it: otherwise the shopper
 * would seem to owe what was given back. Done once for a refund. Throws while an admin is changing the order.
 */
export async function writeCredit(
  container: MedusaContainer,
  books: OrderBooks,
  { refund_id, amount }: { refund_id: string; amount: BigNumberInput }
): Promise<boolean> {
  const orders = container.resolve(Modules.ORDER)
  if (books.credit_lines.some(({ reference, reference_id }) => reference === CREDIT && reference_id === refund_id)) {
    return false
  }
  const open = { order_id: books.id, status: [OrderChangeStatus.PENDING, OrderChangeStatus.REQUESTED] }
  const [begun] = await orders.listOrderChanges(open, { relations: ["actions"] })
  if (begun?.actions.some((action) => action.reference === CREDIT && action.reference_id === refund_id)) {
    await orders.confirmOrderChange(begun.id)
    return true
  }
  const change = await orders.createOrderChange({
    order_id: books.id,
    change_type: OrderChangeType.CREDIT_LINE,
    actions: [{ action: ChangeActionType.CREDIT_LINE_ADD, reference: CREDIT, reference_id: refund_id, amount }],
  })
  await orders.confirmOrderChange(change.id)
  return true
}

/** `said` about a refund that failed, in the order's metadata: an admin sees it without this plugin's pages, too. */
export async function noteFailedRefund(
  container: MedusaContainer,
  order_id: string,
  id: string,
  said: string
): Promise<void> {
  const orders = container.resolve(Modules.ORDER)
  const { metadata } = await orders.retrieveOrder(order_id, { select: ["id", "metadata"] })
  const before = (metadata?.gateway_failed_refunds ?? {}) as Record<string, unknown>
  await orders.updateOrders(order_id, { metadata: { ...metadata, gateway_failed_refunds: { ...before, [id]: said } } })
}
