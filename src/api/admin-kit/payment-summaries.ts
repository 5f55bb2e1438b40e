import { formatAmount } from "../../modules/gateway/kernel/money"
import type GatewayModuleService from "../../modules/gateway/service"

/** Who paid, and what: for lists of what belongs to payments. */
type PaymentSummary = {
  customer: { name: string; email: string }
  order_number: string
  /** Of the payment, as decimal text. */
  paid_amount: string
  currency: string
}

/** Reads the payments of a list's rows, all of them with one statement; null: it has been forgotten. */
export async function paymentSummaries(
  gateway: GatewayModuleService,
  rows: readonly { transaction_id: string }[]
): Promise<(transaction_id: string) => PaymentSummary | null> {
  const found = await gateway.paymentList.summaries(rows.map(({ transaction_id }) => transaction_id))
  const known = new Map(
    found.map((row): [string, PaymentSummary] => [
      row.transaction_id,
      {
        customer: { name: row.customer_name, email: row.customer_email },
        order_number: row.order_number,
        paid_amount: formatAmount(row.amount_minor),
        currency: row.currency,
      },
    ])
  )
  return (transaction_id) => known.get(transaction_id) ?? null
}
