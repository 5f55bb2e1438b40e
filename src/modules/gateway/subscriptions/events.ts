import { formatAmount } from "../kernel/money/money"
import { presentQuantity } from "./quantity-rules"
import type { SkipReason } from "./store/stock"
import type { OutgoingEvent } from "../kernel/database/outbox"
import { chargedNext, endMembers } from "./end-rules"
import type { SubscriptionRow } from "./records"

/** The payment of an event: its billing record, or the same members when there is no record. */
type EventPayment = {
  amount_minor: number
  period: number
  transaction_id: string | null
  session_id: string | null
  error_code?: string | null
}

/** The period that was not delivered, and the reason (docs/decisions/13). */
export type SkippedPeriod = { period: number; reason: SkipReason; amount_minor: number; start: Date; end: Date }

/**
 * Builds the events of a change. payment_succeeded has the contract's own members (6.1). Every other event has those of
 * them that are known, with the status and the subject.
 */
export function subscriptionEvents(
  row: SubscriptionRow,
  types: readonly string[],
  occurred_at: Date,
  payment: EventPayment | null = null,
  skipped?: SkippedPeriod
): OutgoingEvent[] {
  const { merchant_id, environment, id: resource_id } = row
  return types.map((event_type) => ({
    merchant_id,
    environment,
    event_type,
    resource_id,
    data: eventData(row, event_type, payment, skipped),
    occurred_at,
  }))
}

function eventData(
  row: SubscriptionRow,
  type: string,
  payment: EventPayment | null,
  skipped: SkippedPeriod | undefined
): Record<string, unknown> {
  const known = {
    subscription_uuid: row.uuid,
    subscription_id: row.number,
    customer_id: row.customer_number,
    amount: formatAmount(payment?.amount_minor ?? row.amount_minor),
    currency: row.currency,
    billing_cycle: payment?.period ?? row.billing_cycle_count,
    next_billing_date: iso(chargedNext(row)),
    ...endMembers(row),
  }
  const paid = { payment_session_id: payment?.session_id ?? "", transaction_id: payment?.transaction_id ?? "" }
  if (type === "subscription.payment_succeeded") {
    return { ...known, ...paid }
  }
  const base = { ...known, status: row.status, ...presentQuantity(row) }
  switch (type) {
    case "subscription.payment_failed":
      return {
        ...base,
        ...paid,
        error_code: payment?.error_code ?? "",
        failed_payment_count: row.failed_payment_count,
        next_retry_at: iso(row.retry_at),
      }
    case "subscription.period_skipped":
      return {
        ...base,
        reason: skipped?.reason ?? "",
        skipped_period: skipped?.period ?? 0,
        skipped_period_start: iso(skipped?.start ?? null),
        skipped_period_end: iso(skipped?.end ?? null),
        variant_id: row.store_variant_id ?? "",
      }
    case "subscription.trial_started":
    case "subscription.trial_ending":
    case "subscription.trial_ended":
      return { ...base, trial_end_date: iso(row.trial_end_date) }
    case "subscription.changed":
      // One is said too: it may have been more.
      return { quantity: row.quantity, ...base }
    case "subscription.paused":
    case "subscription.resumed":
    case "subscription.uncancelled":
      return { ...base, current_period_end: iso(row.current_period_end) }
    case "subscription.cancelled":
    case "subscription.expired":
      return {
        ...base,
        cancel_at_period_end: row.cancel_at_period_end,
        cancellation_reason: row.cancellation_reason,
        cancellation_note: row.cancellation_note,
        current_period_end: iso(row.current_period_end),
      }
    default:
      return base
  }
}

function iso(date: Date | null): string | null {
  return date === null ? null : date.toISOString()
}
