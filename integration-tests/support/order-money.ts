import { readFileSync } from "node:fs"
import { join } from "node:path"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { ROOT, type Store } from "./store"

/** The money of a Medusa order and its payment, as an admin sees it. */
interface OrderMoney {
  /** What is outstanding: negative when the store owes. */
  pending: number
  /** The current price of the order: Medusa's total. */
  cost: number
  transaction_total: number
  /** What the order counts as paid in all, before refunds. */
  paid: number
  /** The order's transactions of refunds, in their order. */
  transactions: number[]
  credits: number[]
  captured: number
  /** The payment's refunds, in their order. */
  refunds: number[]
  /** The refunded amount of the payment collection. */
  refunded: number
  metadata: Record<string, unknown> | null
}

interface Row {
  total: number
  metadata: Record<string, unknown> | null
  summary: { pending_difference: number; transaction_total: number; paid_total: number }
  transactions: { amount: number; reference: string; created_at: string }[]
  credit_lines: { amount: number }[]
  payment_collections: {
    refunded_amount: number | null
    payments: { captures: { amount: number }[]; refunds: { amount: number; created_at: string }[] }[]
  }[]
}

const FIELDS = [
  "id",
  "total",
  "metadata",
  "summary.*",
  "transactions.*",
  "credit_lines.*",
  "payment_collections.refunded_amount",
  "payment_collections.payments.captures.amount",
  "payment_collections.payments.refunds.*",
]

export async function orderMoney(store: Store, order_id: string): Promise<OrderMoney> {
  const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({ entity: "order", fields: FIELDS, filters: { id: order_id } })
  const order = data[0] as unknown as Row
  const payments = order.payment_collections.flatMap((collection) => collection.payments)
  const inOrder = (rows: { amount: number; created_at: string }[]) =>
    rows
      .sort((left, right) => +new Date(left.created_at) - +new Date(right.created_at))
      .map(({ amount }) => Number(amount))
  const total = (amounts: (number | null)[]) => amounts.reduce<number>((sum, amount) => sum + Number(amount ?? 0), 0)
  return {
    pending: Number(order.summary.pending_difference),
    cost: Number(order.total),
    transaction_total: Number(order.summary.transaction_total),
    paid: Number(order.summary.paid_total),
    transactions: inOrder(order.transactions.filter(({ reference }) => reference === "refund")),
    credits: order.credit_lines.map(({ amount }) => Number(amount)).filter((amount) => amount !== 0),
    captured: total(payments.flatMap(({ captures }) => captures.map(({ amount }) => amount))),
    refunds: inOrder(payments.flatMap(({ refunds }) => refunds)),
    refunded: total(order.payment_collections.map(({ refunded_amount }) => refunded_amount)),
    metadata: order.metadata,
  }
}

/** The lines of the table of docs/admin.md that says what happens to the money of an order: what an admin does. */
export function linesOfTheTable(): string[] {
  const page = readFileSync(join(ROOT, "docs/admin.md"), "utf8")
  const [, table] = page.split("| In Medusa's admin |")
  const [, ...lines] = table.slice(0, table.indexOf("\n\n")).split("\n|")
  return lines.slice(1).map((line) => line.split("|")[0].trim())
}
