import { invoiceId, payUrl } from "../../../../modules/gateway/invoices/rules"
import type { OrderedInvoice } from "../../../../modules/gateway/invoices/list"
import { formatAmount } from "../../../../modules/gateway/kernel/money"
import type { OwnSubscription } from "../../../../modules/gateway/subscriptions/store/subscriptions"

/** A subscription as its owner may see it; `id` is the uuid, `amount` the price of a renewal with its delivery. */
export function presentOwn(row: OwnSubscription): object {
  return {
    id: row.uuid,
    number: row.number,
    status: row.status,
    plan_name: row.plan_name,
    plan_name_bn: row.plan_name_bn,
    amount: formatAmount(row.amount_minor),
    delivery_amount: formatAmount(row.delivery_minor),
    currency: row.currency,
    interval_count: row.interval_count,
    interval_unit: row.interval_unit,
    quantity: row.quantity,
    variant_id: row.store_variant_id,
    order_id: row.store_order_id,
    trial_end_date: row.trial_end_date,
    current_period_start: row.current_period_start,
    current_period_end: row.current_period_end,
    next_billing_date: row.next_billing_date,
    retry_at: row.retry_at,
    cancel_at_period_end: row.cancel_at_period_end,
    cancelled_at: row.cancelled_at,
    instrument: row.instrument,
    created_at: row.opened_at,
  }
}

/** `payment_url` is the page to pay an open invoice; null when nothing is to be paid. */
export function presentOwnInvoice(invoice: OrderedInvoice, publicUrl: string): object {
  const { uuid, status, currency, period_start, period_end, due_date, paid_at, order_id } = invoice
  return {
    id: uuid,
    invoice_id: invoiceId(invoice.number),
    status,
    amount: formatAmount(invoice.amount_minor),
    currency,
    period_start,
    period_end,
    due_date,
    paid_at,
    payment_url: status === "PENDING" ? payUrl(publicUrl, invoice.pay_token) : null,
    order_id,
    created_at: invoice.opened_at,
  }
}
