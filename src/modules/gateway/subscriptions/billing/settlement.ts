import { totalOf, type InvoiceLine } from "../invoice-line-rules"
import type { InvoiceRequest } from "../../invoices/writer"
import type { OutgoingEvent } from "../../kernel/database/outbox"
import { subscriptionEvents } from "../events"
import { periodOf, takeCredits } from "../credit-rules"
import { boundsOf, type BillingRecord, type SubscriptionRow } from "../records"
import { chargeFailed, chargeSucceeded, payOpen, type Change } from "../rules"
import type { Bounds } from "../lifecycle"
import type { PaidPeriod } from "../store/renewal-orders"
import type { ChargedAttempt } from "./charge"
import { nextRetryAt, type Dunning } from "./dunning"
import { costOf, type RecordSettlement } from "./records"
import { billingRecordMachine } from "./states"

const PAYMENT = "subscription.payment_succeeded"

/** How the payment of a period ended. `row` is locked, `record` is PROCESSING. */
export type Settlement = {
  row: SubscriptionRow
  record: BillingRecord
  by: "charge" | "shopper"
  paid: boolean
  transaction_id: string | null
  session_id: string | null
  error_code: string | null
  instrument_id?: string
  /** What the payment was for, where that is more than the period; the invoice is of all of it. */
  lines?: readonly InvoiceLine[]
  at: Date
}

type AppliedSettlement = { settlement: Settlement; change: Change<SubscriptionRow>; bounds: Bounds }

/** How a charge ended; nothing while that is open or was not tried. `ids` are those of the payment written for it. */
export function settlementOf(
  attempt: ChargedAttempt,
  ids: { transaction_id: string; session_id: string } | undefined
): Settlement[] {
  const { row, record, outcome, at } = attempt
  if (outcome === null || outcome.state === "PROCESSING") {
    return []
  }
  return [
    {
      row,
      record,
      by: "charge",
      paid: outcome.state === "SUCCESS",
      transaction_id: ids?.transaction_id ?? null,
      session_id: ids?.session_id ?? null,
      error_code: outcome.state === "FAILED" ? outcome.error_code : null,
      at,
    },
  ]
}

/** What a payment's end does to the subscription, and the bounds of the period it was for. */
export function applySettlement(settlement: Settlement, dunning: Dunning): AppliedSettlement {
  const { row, record, by, paid, at } = settlement
  if (paid) {
    const { bounds, ...change } =
      by === "shopper" ? payOpen(row, at, boundsOf(record)) : chargeSucceeded(row, at, boundsOf(record))
    const period = periodOf({ ...row, quantity: record.quantity }, bounds)
    const { left: credits } = takeCredits(row.credits, record.credit_minor, period)
    return { settlement, change: { ...change, next: { ...change.next, credits } }, bounds }
  }
  if (by === "shopper") {
    return { settlement, change: { next: row, emits: [] }, bounds: boundsOf(record) }
  }
  const retryAt = (first: Date, failures: number) =>
    nextRetryAt(dunning, { firstFailure: first, failures, now: at }, row.time_zone)
  return {
    settlement,
    change: chargeFailed(row, at, retryAt, dunning.afterLast === "cancel"),
    bounds: boundsOf(record),
  }
}

/** What is written into the billing record. */
export function recordSettlement({ settlement, bounds }: AppliedSettlement): RecordSettlement {
  const { record, paid, by, transaction_id, session_id, error_code } = settlement
  const trigger = paid ? "succeed" : by === "charge" || record.attempts > 0 ? "fail" : "release"
  const { to } = billingRecordMachine.require(record.status, trigger)
  return {
    id: record.id,
    status: to,
    transaction_id,
    session_id,
    error_code,
    period_start: bounds.start,
    period_end: bounds.end,
  }
}

/**
 * Whether the payment leaves behind an open invoice that nobody can pay as it is: the subscription has ended with it, or
 * an amount or a quantity that was changed while it was under way holds from now on.
 */
export function outdatesInvoice(applied: AppliedSettlement): boolean {
  const { settlement, change } = applied
  const { record, paid } = settlement
  if (paid) {
    return false
  }
  const { status } = recordSettlement(applied)
  const { amount_minor, quantity } = costOf(change.next, { ...record, status })
  const isOther = amount_minor !== record.amount_minor || quantity !== record.quantity
  return change.next.status === "CANCELLED" || isOther
}

/** What the store sells on a plan is sent once it is paid. */
export function paidGoods({
  settlement: { row, record, paid, transaction_id: id, at },
}: AppliedSettlement): PaidPeriod[] {
  const isGoods = paid && row.source === "store" && id !== null
  return isGoods ? [{ transaction_id: id, subscription_id: row.id, period: record.period, at }] : []
}

/**
 * A period gets an invoice when it is paid, and when a failed charge leaves the subscription past due. A shopper's
 * failed payment gives none.
 */
export function hasInvoice({ settlement, change }: AppliedSettlement): boolean {
  return settlement.paid || (settlement.by === "charge" && change.next.status === "PAST_DUE")
}

/** A shopper's payment ends a pause: what is left of the schedule moves by its length. */
export function endsPause({ row, by, paid }: Settlement): boolean {
  return paid && by === "shopper" && row.paused_at !== null
}

export function invoiceRequest({ settlement, bounds }: AppliedSettlement): InvoiceRequest {
  const { row, record, at, paid, lines } = settlement
  return {
    row,
    period: record.period,
    bounds,
    amount_minor: lines === undefined ? record.amount_minor : totalOf(lines),
    credit_minor: record.credit_minor,
    quantity: record.quantity,
    lines,
    // The record was read before the end of the pause moved its date.
    due_date: endsPause(settlement) ? bounds.start : record.billing_date,
    at,
    paid,
  }
}

export function eventsOf({ settlement, change }: AppliedSettlement): OutgoingEvent[] {
  const { record, transaction_id, session_id, error_code, at } = settlement
  const payment = { amount_minor: record.amount_minor, period: record.period, transaction_id, session_id, error_code }
  // A first period that was free has no payment that could have succeeded. One that credits pay has: what they left over.
  const costsNothing = record.amount_minor === 0 && record.credit_minor === 0
  const isFree = settlement.paid && settlement.by === "shopper" && costsNothing
  const emits = isFree ? change.emits.filter((one) => one !== PAYMENT) : change.emits
  return subscriptionEvents(change.next, emits, at, payment)
}
