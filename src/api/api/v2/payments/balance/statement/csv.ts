import { HOME_CURRENCY } from "../../../../../../modules/gateway/kernel/money/currencies"
import { formatAmount } from "../../../../../../modules/gateway/kernel/money/money"
import type { Statement } from "../../../../../../modules/gateway/ledger/service"
import type { Period } from "../resource"

export const CSV_TYPE = "text/csv; charset=utf-8"

const HEAD = [
  "date",
  "type",
  "transaction_id",
  "order_id",
  "refund_id",
  "payout_reference",
  "gross",
  "fee",
  "amount",
  "balance",
]

/** The file of another currency than the contract's is named after it, so that the two are not taken for each other. */
export function statementName({ from, before }: Period, currency = HOME_CURRENCY): string {
  const of = currency === HOME_CURRENCY ? "" : `-${currency}`
  return `statement${of}-${day(from)}-${day(new Date(before.getTime() - 1))}.csv`
}

/** The rows of the file: the first line is the balance before the period, the last line the balance after it. */
export function statementRows({ opening, closing, lines }: Statement, { from, before }: Period): string[][] {
  const blank = ["", "", "", "", "", "", ""]
  return [
    HEAD,
    [from.toISOString(), "opening_balance", ...blank, formatAmount(opening)],
    ...lines.map((line) => [
      line.occurred_at.toISOString(),
      line.kind,
      line.transaction_id ?? "",
      line.order_id ?? "",
      line.refund_id ?? "",
      line.payout_reference ?? "",
      formatAmount(line.amount + line.fee),
      formatAmount(line.fee),
      formatAmount(line.amount),
      formatAmount(line.balance),
    ]),
    [before.toISOString(), "closing_balance", ...blank, formatAmount(closing)],
  ]
}

function day(at: Date): string {
  return at.toISOString().slice(0, 10)
}
