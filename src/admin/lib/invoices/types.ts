import type { PresentedMessage } from "../message"
import type { Color } from "../ui/bits"

export type InvoiceStatus = "PENDING" | "PAID" | "VOID"
export const INVOICE_STATUSES: readonly InvoiceStatus[] = ["PENDING", "PAID", "VOID"]

export type Invoice = {
  id: string
  invoice_id: string
  status: InvoiceStatus
  amount: string
  currency: string
  customer: { number: number; name: string; email: string }
  plan_name: string | null
  subscription: { id: string; number: number; status: string }
  period_start: string
  period_end: string
  due_date: string
  paid_at: string | null
  voided_at: string | null
  payment_url: string
  created_at: string
}

export type MailStatus = "pending" | "sent" | "dropped" | "failed"
export type Mail = {
  id: string
  kind: "invoice" | "reminder" | "past_due"
  status: MailStatus
  due_at: string
  sent_at: string | null
  last_error: PresentedMessage | null
}
export type InvoicePage = Invoice & { mails: Mail[] }

export const INVOICE_COLORS: Readonly<Record<InvoiceStatus, Color>> = { PENDING: "blue", PAID: "green", VOID: "grey" }
export const MAIL_COLORS: Readonly<Record<MailStatus, Color>> = {
  pending: "blue",
  sent: "green",
  dropped: "grey",
  failed: "red",
}
