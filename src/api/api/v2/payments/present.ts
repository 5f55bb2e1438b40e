import { formatAmount } from "../../../../modules/gateway/kernel/money"
import type { ListedPayment } from "../../../../modules/gateway/payments/list"
import { publicStatus } from "../../../../modules/gateway/payments/states"

/** A line of the list: `status` is what verification answers at `now`, on the merchant's clock. */
export function presentPayment(row: ListedPayment, now: Date): Record<string, unknown> {
  return {
    transaction_id: row.transaction_id,
    order_id: row.order_id,
    order_number: row.order_number,
    status: publicStatus(row.state, row.expires_at, now),
    amount: formatAmount(row.amount_minor),
    charge_amount: formatAmount(row.charge_minor),
    refunded_amount: formatAmount(row.refunded_minor),
    currency: row.currency,
    payment_method: row.payment_service ?? "",
    error_code: row.error_code,
    customer: { name: row.customer_name, email: row.customer_email },
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}
