import { messageOf } from "../../../i18n/message"
import type { Interval } from "../kernel/money/calendar"
import type { Environment } from "../kernel/money/clock"
import { GatewayError } from "../kernel/errors"
import { formatAmount } from "../kernel/money/money"
import { isSameLength, openBounds, openPeriod, type Bounds, type Lifecycle } from "../subscriptions/lifecycle"
import { resume } from "../subscriptions/rules"
import type { StoredProfile } from "../merchants/profile-rules"
import type { PlanNames } from "../plans/rules"
import { requireToPay } from "../subscriptions/change-rules"
import { linesOf, type InvoiceLine } from "../subscriptions/invoice-line-rules"
import type { InvoiceState } from "./states"
import type { SubscriptionState } from "../subscriptions/states"

/** For receipts, which show the lines of the invoice that was paid. */
export { linesOf, type InvoiceLine }

const NUMBER_DIGITS = 6
const INVOICE_ID = /^INV-([0-9]{6,10})$/
const INTEGER_MAX = 2_147_483_647

/** The contract's invoice_id for a number in a merchant's series: INV-000001. */
export function invoiceId(number: number): string {
  return `INV-${String(number).padStart(NUMBER_DIGITS, "0")}`
}

/** The number in an invoice_id; null when the text is not one. */
export function invoiceNumber(id: string): number | null {
  const match = INVOICE_ID.exec(id)
  const number = match === null ? 0 : Number(match[1])
  return number >= 1 && number <= INTEGER_MAX ? number : null
}

/** What is to be paid, and what credits pay, in poisha, for how many. */
type Cost = { amount_minor: number; credit_minor: number; quantity: number }

/** What an invoice is for: one period of a subscription. */
type InvoiceContent = Cost & { period: number; bounds: Bounds; due_date: Date }

/**
 * The invoice of the open period, for the amount that is due. A paused subscription resumes with the payment, so its
 * dates are those of a payment at this moment. INVALID_STATE_TRANSITION where there is nothing to pay: an ended
 * subscription, a period that credits pay, and one whose terms are about to change.
 */
export function invoiceOf(lifecycle: Lifecycle, cost: Cost, at: Date): InvoiceContent {
  const { status } = lifecycle
  if (status === "CANCELLED" || status === "EXPIRED") {
    throw new GatewayError(
      "INVALID_STATE_TRANSITION",
      messageOf("refusal.subscription_not_invoiced", { state: status })
    )
  }
  requireToPay(lifecycle, cost.amount_minor, at)
  const awake = status === "PAUSED" ? resume(lifecycle, at).next : lifecycle
  const bounds = openBounds(awake, at)
  return { period: openPeriod(awake), bounds, ...cost, due_date: bounds.start }
}

type OpenInvoice = Interval & { amount_minor: number; period_start: Date; period_end: Date }
/** What is to be paid, or has been, for a period. */
type PeriodToPay = { period: number; amount_minor: number; bounds: Bounds; row: Interval & Pick<Lifecycle, "status"> }

/**
 * Whether an open invoice asks for this payment: the same amount, for a period of the same length. A new interval does
 * not move the end of a period that has begun, so the invoice of that period stays right.
 */
export function asksFor(invoice: OpenInvoice, { period, amount_minor, bounds, row }: PeriodToPay): boolean {
  return (
    invoice.amount_minor === amount_minor &&
    (isSameLength(period, invoice, row) || isAt(invoice.period_end, bounds.end))
  )
}

/**
 * Whether an open invoice still shows what is to be paid; otherwise another one replaces it. A period without a fixed
 * start (nothing paid so far, or paused) has dates that move every day and are fixed by the payment: they do not count.
 */
export function isCurrent(invoice: OpenInvoice, request: PeriodToPay): boolean {
  const isFixed = request.row.status !== "PENDING" && request.row.status !== "PAUSED"
  const { start, end } = request.bounds
  const sameDates = isAt(invoice.period_start, start) && isAt(invoice.period_end, end)
  return asksFor(invoice, request) && (sameDates || !isFixed)
}

function isAt(one: Date, other: Date): boolean {
  return one.getTime() === other.getTime()
}

/** The contract's members of an invoice (2.12). Amount in poisha. */
export type InvoiceFacts = {
  number: number
  uuid: string
  pay_token: string
  invoice_type: string
  status: InvoiceState
  business_name: string
  subscription_number: number
  subscription_uuid: string
  customer_number: number
  amount_minor: number
  /** Null: the plan alone. */
  lines: readonly InvoiceLine[] | null
  /** The subscription ends with its period. */
  is_last: boolean
  currency: string
  period_start: Date
  period_end: Date
  due_date: Date
  paid_at: Date | null
  voided_at: Date | null
  opened_at: Date
} & PlanNames

/** Further members that people are shown. */
export type InvoiceSubject = InvoiceFacts &
  Interval & {
    environment: Environment
    profile: StoredProfile
    /** In whose days its dates are written (IANA): the merchant's when it was issued. */
    time_zone: string
    /** The tax that the amount contains, in poisha; null: none, or not known before the period is paid. */
    tax_minor: number | null
    /** The payment that has paid it, in poisha; null: it is not paid, or was free. */
    payment_minor: number | null
    /** The numbers of the other invoices that the same payment has paid. */
    paid_together: readonly number[]
    subscription_status: SubscriptionState
    /** Whether the merchant may take payments: it is not suspended, and subscriptions are enabled. */
    may_be_paid: boolean
    /** A shopper's payment of the open period is under way: its outcome is not known yet. */
    payment_under_way: boolean
    customer_name: string
    customer_email: string
    /** Where its e-mails go: the customer's address today, not the one it was issued with. */
    mail_to: string
    customer_phone: string | null
  }

/**
 * The invoice as the API and the event invoice.created show it (contract 2.12, then this project's additions).
 * `payable_amount` is a number: poisha divided by a hundred prints at most two decimals exactly. `payment_url` is null
 * when the deployment has no configured public address.
 */
export function invoiceData(invoice: InvoiceFacts, publicUrl: string | null) {
  return {
    invoice_id: invoiceId(invoice.number),
    uuid: invoice.uuid,
    business_name: invoice.business_name,
    invoice_type: invoice.invoice_type,
    due_date: invoice.due_date.toISOString(),
    payable_amount: invoice.amount_minor / 100,
    invoice_status: invoice.status,
    currency: invoice.currency,
    lines: linesOf(invoice).map((line) => presentLine(line, invoice.plan_name)),
    subscription_id: invoice.subscription_number,
    subscription_uuid: invoice.subscription_uuid,
    customer_id: invoice.customer_number,
    period_start: invoice.period_start.toISOString(),
    period_end: invoice.period_end.toISOString(),
    ...(invoice.is_last ? { is_last: true } : {}),
    payment_url: publicUrl === null ? null : payUrl(publicUrl, invoice.pay_token),
    paid_at: invoice.paid_at?.toISOString() ?? null,
    voided_at: invoice.voided_at?.toISOString() ?? null,
    created_at: invoice.opened_at.toISOString(),
  }
}

/** A line as the API shows it: a credit with its days; `tax_amount` is null while it is not known. */
export function presentLine(line: InvoiceLine, plan_name: string | null) {
  const { credit } = line
  return {
    type: line.kind,
    description: line.kind === "plan" ? plan_name : line.name,
    quantity: line.quantity,
    ...(line.unit_minor === undefined ? {} : { unit_amount: formatAmount(line.unit_minor) }),
    amount: formatAmount(line.amount_minor),
    discount_amount: formatAmount(line.discount_minor),
    tax_amount: line.tax_minor === null ? null : formatAmount(line.tax_minor),
    ...(credit === undefined ? {} : { period_start: credit.start, period_end: credit.end }),
  }
}

/** The public page of an invoice. */
export function payUrl(publicUrl: string, payToken: string): string {
  return `${publicUrl}/pay/invoice/${payToken}`
}
