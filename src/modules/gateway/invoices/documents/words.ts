import type { IntervalUnit } from "../../kernel/calendar"
import type { InvoiceMailKind } from "../mail-rules"

/** What an invoice's reader meets; "overdue" is open and past its date. */
export type InvoiceDisplayStatus = "open" | "overdue" | "paid" | "void" | "closed"

/** Every sentence of invoices and their e-mails in one language. Functions take what they name already formatted. */
export type InvoiceWords = {
  title: string
  number: string
  issued: string
  due: string
  paidOn: string
  voidedOn: string
  billedTo: string
  description: string
  period: string
  amount: string
  amountDue: string
  amountPaid: string
  amountVoid: string
  subscription: string
  every: (count: string, unit: IntervalUnit) => string
  status: Record<InvoiceDisplayStatus, string>
  statusText: Record<InvoiceDisplayStatus, (date: string) => string>
  pay: (amount: string) => string
  payOnline: string
  download: string
  view: string
  failed: string
  pending: string
  stopped: string
  testMode: string
  testModeText: string
  datesNote: string
  mail: {
    subject: Record<InvoiceMailKind, (merchant: string, amount: string, number: string) => string>
    greeting: (name: string) => string
    intro: Record<InvoiceMailKind, (merchant: string, due: string) => string>
    linkNote: string
    reason: (merchant: string) => string
  }
}
