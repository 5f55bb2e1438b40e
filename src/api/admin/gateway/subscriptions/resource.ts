import { z } from "@medusajs/framework/zod"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import type { Window } from "../../../../modules/gateway/kernel/database/paging"
import { mayUncancel } from "../../../../modules/gateway/subscriptions/cancellation-rules"
import { nextTerms } from "../../../../modules/gateway/subscriptions/change-rules"
import { balanceOf } from "../../../../modules/gateway/subscriptions/credit-rules"
import { chargedNext, cyclesPaid, lastPeriodEnd } from "../../../../modules/gateway/subscriptions/end-rules"
import type { SubscriptionFilter } from "../../../../modules/gateway/subscriptions/list"
import type { BillingRecord, SubscriptionRow } from "../../../../modules/gateway/subscriptions/records"
import { unitOf, type Price } from "../../../../modules/gateway/subscriptions/quantity-rules"
import { SUBSCRIPTION_STATES } from "../../../../modules/gateway/subscriptions/states"
import type { SubscriptionTimeline } from "../../../../modules/gateway/subscriptions/timeline"
import { presentTerms } from "../../../api/v2/payments/subscriptions/terms"
import { type ListFormat, listSchema, readList, several } from "../../../admin-kit/list"
import type { JsonObject } from "../../../v2-kit/body"
import { parse, rule, text, wholeNumber, withoutAbsent } from "../../../v2-kit/validate"

export { presentPreview } from "../../../api/v2/payments/subscriptions/[subscription_id]/change/resource"

/** A subscription in the list; `id` is the uuid, `number` the id in `/api/v2`. */
export function presentSubscription(row: SubscriptionRow) {
  return {
    id: row.uuid,
    number: row.number,
    status: row.status,
    amount: formatAmount(row.amount_minor),
    quantity: row.quantity,
    unit_amount: unitAmountOf(row),
    currency: row.currency,
    interval_count: row.interval_count,
    interval_unit: row.interval_unit,
    plan: row.plan_number === null ? null : { number: row.plan_number, plan_name: row.plan_name },
    customer: {
      number: row.customer_number,
      name: row.customer_name,
      email: row.customer_email,
      phone: row.customer_phone,
    },
    source: row.source,
    next_billing_date: chargedNext(row),
    end: presentEnd(row),
    cancel_at_period_end: row.cancel_at_period_end,
    failed_payment_count: row.failed_payment_count,
    created_at: row.opened_at,
  }
}

/** `paid` of `cycles` periods, or no period from `at` on; `last_period_end` null: it cannot be said. Null: no end. */
function presentEnd(row: SubscriptionRow) {
  const { billing_cycles: cycles, ends_at: at } = row
  return cycles === null && at === null
    ? null
    : { cycles, paid: cyclesPaid(row), at, last_period_end: lastPeriodEnd(row) }
}

/** The terms that begin with the next period; null: no others. */
export function presentScheduled(row: SubscriptionRow) {
  const { has_own_end, source } = row
  const terms = nextTerms(row)
  return terms === null
    ? null
    : {
        ...presentTerms(terms, has_own_end),
        quantity: terms.quantity,
        unit_amount: unitAmountOf({ ...terms, source }),
        plan_name: terms.plan_name,
      }
}

/** What one costs; null: goods of the store, whose amount contains the delivery. */
function unitAmountOf({ source = "api", ...price }: Price & Partial<Pick<SubscriptionRow, "source">>): string | null {
  return source === "store" ? null : formatAmount(unitOf(price))
}

/** A subscription's page. `attempts` counts the charges of its open period; a retry must send it back. */
export function presentTimeline(timeline: SubscriptionTimeline, now: Date) {
  const { row, instrument, amount_due, attempts, error_code, cancellation_reasons, trial_before, events } = timeline
  return {
    ...presentSubscription(row),
    billing_cycle_count: row.billing_cycle_count,
    current_period_start: row.current_period_start,
    current_period_end: row.current_period_end,
    trial_end_date: row.trial_end_date,
    trial_refused: row.one_trial === "refused",
    trial_before,
    past_due_since: row.past_due_since,
    retry_at: row.retry_at,
    paused_at: row.paused_at,
    cancelled_at: row.cancelled_at,
    cancellation_reason: row.cancellation_reason,
    cancellation_note: row.cancellation_note,
    scheduled_change: presentScheduled(row),
    credit_balance: formatAmount(balanceOf(row.credits)),
    ended_at: row.ended_at,
    payment_under_way: row.charging || row.awaiting_transaction_id !== null,
    amount_due: formatAmount(amount_due),
    attempts,
    error_code,
    instrument,
    meta_data: row.meta_data,
    store_order_id: row.store_order_id,
    store_variant_id: row.store_variant_id,
    may_uncancel: mayUncancel(row, now),
    cancellation_reasons,
    events,
  }
}

export function presentRecord(record: BillingRecord) {
  const {
    uuid: id,
    number,
    period,
    status,
    billing_date,
    period_start,
    period_end,
    attempts,
    transaction_id,
    error_code,
  } = record
  return {
    id,
    number,
    period,
    status,
    amount: formatAmount(record.amount_minor),
    currency: record.currency,
    billing_date,
    period_start,
    period_end,
    attempts,
    transaction_id,
    error_code,
    created_at: record.opened_at,
  }
}

const query = listSchema({ status: several(SUBSCRIPTION_STATES).optional(), plan_id: text(64).optional() }, [
  "created_at",
])

export function readFilter(sent: JsonObject): SubscriptionFilter & Window & ListFormat {
  return readList(query, sent)
}

const pageQuery = listSchema({}, ["created_at"])

export function readWindow(sent: JsonObject): Window & ListFormat {
  return readList(pageQuery, sent)
}

const retrySchema = z.object({ attempts: wholeNumber.min(0, rule("not_negative")) })

/** How many charges of the open period the admin has seen. */
export function readAttempts(body: JsonObject): number {
  return parse(retrySchema, withoutAbsent(body, [])).attempts
}
