import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { ListedPayment } from "../../../../modules/gateway/payments/list"
import { publicStatus } from "../../../../modules/gateway/payments/states"

/** One line of the list; the status is what verification answers at `now`, on the merchant's clock. */
export function presentPayment(row: ListedPayment, now: Date) {
  return {
    id: row.transaction_id,
    order_id: row.order_id,
    order_number: row.order_number,
    status: publicStatus(row.state, row.expires_at, now),
    processing: row.state === "PROCESSING",
    held: row.state === "HELD",
    authorized: row.state === "AUTHORIZED",
    currency: row.currency,
    amount: formatAmount(row.amount_minor),
    ...reservedAmounts(row),
    charge_amount: formatAmount(row.state === "AUTHORIZED" ? 0 : row.charge_minor),
    refunded_amount: formatAmount(row.refunded_minor - row.waiting_minor),
    waiting_amount: formatAmount(row.waiting_minor),
    net_amount: netOf(row),
    acquirer_reference: row.acquirer_reference,
    charge_reference: row.charge_reference,
    payment_method: row.payment_method,
    payment_service: row.payment_service,
    error_code: row.error_code,
    decline: row.decline_code === null ? null : { code: row.decline_code, reason: row.decline_reason },
    emi: presentEmi(row),
    source: row.source,
    customer: { name: row.customer_name, email: row.customer_email, phone: row.customer_phone },
    medusa_order_id: row.medusa_order_id,
    cart_state: row.completion_state,
    created_at: row.created_at,
    finished_at: row.finished_at,
  }
}

/** Of a payment whose money was reserved first: what was reserved, what was captured, and what still can be; else null. */
function reservedAmounts({ state, authorized_minor, amount_minor, capturable_minor, capture_before }: ListedPayment) {
  const isCaptured = state === "SUCCESS" || state === "REFUNDED"
  return {
    authorized_amount: authorized_minor === null ? null : formatAmount(authorized_minor),
    captured_amount: authorized_minor === null ? null : formatAmount(isCaptured ? amount_minor : 0),
    capturable_amount: capturable_minor === null ? null : formatAmount(capturable_minor),
    capture_before,
  }
}

/** What is left of a payment that succeeded, less its fee and refunds; null: it has brought no money. */
function netOf({ state, amount_minor, charge_minor, refunded_minor, waiting_minor }: ListedPayment): string | null {
  const hasPaid = state === "SUCCESS" || state === "REFUNDED"
  return hasPaid ? formatAmount(amount_minor - charge_minor - (refunded_minor - waiting_minor)) : null
}

/** `total_with_fee` is everything that the customer pays to the bank. */
function presentEmi({ emi_bank, emi_months, emi_total_minor, emi_cost_minor }: ListedPayment) {
  return emi_bank === null || emi_months === null || emi_total_minor === null
    ? null
    : {
        bank: emi_bank,
        months: emi_months,
        total_with_fee: formatAmount(emi_total_minor),
        merchant_cost: formatAmount(emi_cost_minor ?? 0),
      }
}
