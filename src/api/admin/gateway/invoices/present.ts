import { presentMessageOrNull } from "../../../admin-kit/message"
import { invoiceId, payUrl } from "../../../../modules/gateway/invoices/rules"
import { formatAmount } from "../../../../modules/gateway/kernel/money"
import type { InvoiceView } from "../../../../modules/gateway/invoices/records"
import type { ListedMail } from "../../../../modules/gateway/invoices/mails"

/** `id` is the uuid, `invoice_id` the printed number; anybody with `payment_url` may see the invoice and pay it. */
export function presentInvoice(invoice: InvoiceView, publicUrl: string): object {
  return {
    id: invoice.uuid,
    invoice_id: invoiceId(invoice.number),
    status: invoice.status,
    amount: formatAmount(invoice.amount_minor),
    currency: invoice.currency,
    customer: { number: invoice.customer_number, name: invoice.customer_name, email: invoice.customer_email },
    plan_name: invoice.plan_name,
    subscription: {
      id: invoice.subscription_uuid,
      number: invoice.subscription_number,
      status: invoice.subscription_status,
    },
    period_start: invoice.period_start,
    period_end: invoice.period_end,
    due_date: invoice.due_date,
    paid_at: invoice.paid_at,
    voided_at: invoice.voided_at,
    payment_under_way: invoice.payment_under_way,
    payment_url: payUrl(publicUrl, invoice.pay_token),
    created_at: invoice.opened_at,
  }
}

/** An invoice's page, with its e-mails. */
export function presentInvoicePage(invoice: InvoiceView, mails: readonly ListedMail[], publicUrl: string): object {
  return {
    ...presentInvoice(invoice, publicUrl),
    mails: mails.map(({ state, last_error, ...mail }) => ({
      ...mail,
      last_error: presentMessageOrNull(last_error),
      status: state,
    })),
  }
}
