import { invoiceId } from "./domain/invoice"
import { formatAmount } from "./domain/money"
import type { InvoiceState } from "./domain/state-machines/invoice"
import type { Tenant } from "./types"

/** An invoice as the services read it; amount in poisha. */
export type Invoice = Tenant & {
  id: string
  uuid: string
  number: number
  subscription_id: string
  customer_id: string
  invoice_type: "SUBSCRIPTION"
  status: InvoiceState
  period: number
  period_start: Date
  period_end: Date
  amount_minor: number
  currency: string
  due_date: Date
  paid_at: Date | null
  voided_at: Date | null
  opened_at: Date
  business_name: string
}

export const INVOICE_COLUMNS = `
  i.id, i.uuid, i.number, i.merchant_id, i.environment, i.subscription_id, i.customer_id, i.invoice_type, i.status,
  i.period, i.period_start, i.period_end, i.amount_minor, i.currency, i.due_date, i.paid_at, i.voided_at, i.opened_at,
  (SELECT m.name FROM gateway_merchant m WHERE m.id = i.merchant_id) AS business_name`

/** Contract 2.12, as it is answered and as invoice.created carries it: payable_amount is a number there. */
export function invoiceData(invoice: Invoice): Record<string, unknown> {
  return {
    invoice_id: invoiceId(invoice.number),
    uuid: invoice.uuid,
    business_name: invoice.business_name,
    invoice_type: invoice.invoice_type,
    due_date: invoice.due_date.toISOString(),
    payable_amount: Number(formatAmount(invoice.amount_minor)),
    invoice_status: invoice.status,
  }
}
