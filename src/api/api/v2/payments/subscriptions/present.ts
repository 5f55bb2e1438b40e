import { formatAmount } from "../../../../../modules/gateway/kernel/money"
import type { BillingRecord, SubscriptionRow } from "../../../../../modules/gateway/subscriptions/records"
import type { Caller } from "../../../../../modules/gateway/kernel/types"

/** A subscription in a list (contract 2.10: the shorter subset). */
export function presentSubscriptionLine(row: SubscriptionRow, caller: Caller): Record<string, unknown> {
  return {
    id: row.number,
    uuid: row.uuid,
    merchant_id: caller.merchant_number,
    customer_id: row.customer_number,
    status: row.status,
    amount: formatAmount(row.amount_minor),
    currency: row.currency,
    next_billing_date: iso(row.next_billing_date),
    billing_cycle_count: row.billing_cycle_count,
    created_at: row.opened_at.toISOString(),
  }
}

/** The whole subscription (contract 2.10; decisions: Plans and subscriptions). */
export function presentSubscription(row: SubscriptionRow, caller: Caller): Record<string, unknown> {
  return {
    ...presentSubscriptionLine(row, caller),
    subscription_plan_id: row.plan_number,
    interval_count: row.interval_count,
    interval_unit: row.interval_unit,
    trial_end_date: iso(row.trial_end_date),
    failed_payment_count: row.failed_payment_count,
    current_period_start: iso(row.current_period_start),
    current_period_end: iso(row.current_period_end),
    cancel_at_period_end: row.cancel_at_period_end,
    cancelled_at: iso(row.cancelled_at),
    cancellation_reason: row.cancellation_reason,
    meta_data: row.meta_data,
    customer: {
      id: row.customer_number,
      name: row.customer_name,
      email: row.customer_email,
      phone: row.customer_phone ?? "",
    },
  }
}

/** Contract 2.11. A period without any payment attempt has empty ids. */
export function presentBillingRecord(record: BillingRecord, row: SubscriptionRow): Record<string, unknown> {
  return {
    id: record.number,
    uuid: record.uuid,
    subscription_id: row.number,
    billing_date: record.billing_date.toISOString(),
    amount: formatAmount(record.amount_minor),
    currency: record.currency,
    status: record.status,
    payment_session_id: record.session_id ?? "",
    transaction_id: record.transaction_id ?? "",
    created_at: record.opened_at.toISOString(),
  }
}

function iso(date: Date | null): string | null {
  return date === null ? null : date.toISOString()
}
