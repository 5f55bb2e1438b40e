import type { Environment } from "../kernel/money/clock"
import type { Language } from "../../../i18n/languages"
import { parseAmount } from "../kernel/money/money"
import type { EmiPlan } from "../emi/plan"
import type { StoredProfile } from "../merchants/profile-rules"
import type { InvoiceLine } from "../invoices/rules"
import type { InstrumentSummary } from "../acquirers/port"
import type { CustomerDetails, OrderItem } from "../acquirers/order"
import { DELIVERY } from "../kernel/limits"
import type { Description } from "../plans/rules"

export const RECEIPT_KINDS = ["payment", "refund"] as const
export type ReceiptKind = (typeof RECEIPT_KINDS)[number]

/** What a receipt reports. Amounts in hundredths of the payment's currency, times on the merchant's clock. */
export type ReceiptSubject = Description & {
  environment: Environment
  transaction_id: string
  order_id: string
  /** What people read as the order's number. */
  order_number: string
  currency: string
  amount_minor: number
  payment_service: string | null
  instrument: InstrumentSummary | null
  verified_at: Date
  customer: CustomerDetails
  items: OrderItem[] | null
  /** The tax of the store's order; null: there is no order of the store. */
  tax_minor: number | null
  /** What is due in cash at the door besides, of an order whose advance this is; null or 0: nothing. */
  in_cash_minor: number | null
  emi: EmiPlan | null
  /** The numbers of the invoices that it has paid. */
  invoice_numbers: readonly number[]
  /** What the invoice of a charged period consists of; null: of the plan alone, or it is not of a period. */
  invoice_lines: readonly InvoiceLine[] | null
  merchant_name: string
  /** The merchant's (IANA), by whose clock times are written. */
  time_zone: string
  profile: StoredProfile
  /** The shop's language; null: not known. */
  language: Language | null
  /** The refund that it reports; null: it reports the payment. */
  refund: { id: string; amount_minor: number; reason: string; completed_at: Date } | null
}

/** A line of what was bought; amounts in hundredths of the payment's currency. */
type ReceiptItem = { name: string; quantity: number; amount_minor: number; is_delivery: boolean }

/** A receipt is read at a glance, also in a mail program; the rest are one line. */
export const ITEMS_SHOWN = 10

/**
 * The items of an order, where each has an amount and they add up to what was paid; otherwise none. Merchants send any
 * items that they like, and a receipt whose lines do not add up would only raise questions.
 */
export function itemsThatAddUp(items: readonly OrderItem[] | null, amount_minor: number): ReceiptItem[] {
  const read = (items ?? []).flatMap((item): ReceiptItem[] => {
    const quantity = item.quantity ?? 1
    const unit = parseAmount(item.unit_price)
    const minor = parseAmount(item.net_amount) ?? (unit === null ? null : unit * BigInt(quantity))
    const name = item.product_name || item.sku || ""
    const is_delivery = item.product_category === DELIVERY
    return minor === null || name === "" ? [] : [{ name, quantity, amount_minor: Number(minor), is_delivery }]
  })
  const sum = read.reduce((total, item) => total + BigInt(item.amount_minor), 0n)
  return read.length === (items ?? []).length && sum === BigInt(amount_minor) ? read : []
}

/**
 * The tax that a payment contains: that of the store's order, otherwise what the merchant states for its items; null
 * when there is none, or when it cannot be part of the amount. That of a cash order is of the whole, not of its advance.
 */
export function taxOf({
  tax_minor,
  items,
  amount_minor,
  in_cash_minor,
}: Pick<ReceiptSubject, "tax_minor" | "items" | "amount_minor" | "in_cash_minor">): number | null {
  if (in_cash_minor) {
    return null
  }
  const stated = (items ?? []).reduce((sum, { vat }) => sum + (parseAmount(vat) ?? 0n), 0n)
  const tax = tax_minor === null ? stated : BigInt(tax_minor)
  return tax > 0n && tax < BigInt(amount_minor) ? Number(tax) : null
}

/** Order numbers are the shop's own text: what a file's name cannot hold becomes a dash. */
export function fileName({ order_number, refund }: Pick<ReceiptSubject, "order_number" | "refund">): string {
  const number = order_number.replace(/[^A-Za-z0-9._-]+/g, "-")
  return `${refund === null ? "receipt" : "refund"}-${number}.pdf`
}
