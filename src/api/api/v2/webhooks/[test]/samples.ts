import { randomUUID } from "node:crypto"
import { z } from "@medusajs/framework/zod"
import { cashEventData } from "../../../../../modules/gateway/cash/rules"
import { eventData } from "../../../../../modules/gateway/disputes/rules"
import type { DisputeState } from "../../../../../modules/gateway/disputes/states"
import { invoiceData } from "../../../../../modules/gateway/invoices/rules"
import { addSeconds } from "../../../../../modules/gateway/kernel/money/clock"
import { EVENT_TYPES, type EventType, eventBody } from "../../../../../modules/gateway/kernel/database/events"
import {
  newCaptureId,
  newId,
  newOrderedId,
  newRefundId,
  newSessionId,
  newTransactionId,
} from "../../../../../modules/gateway/kernel/text/ids"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import type { Caller } from "../../../../../modules/gateway/kernel/types"
import type { JsonObject } from "../../../../v2-kit/body"
import { parseWithUrls } from "../../../../v2-kit/refusals"
import { anyText, required, rule, withoutAbsent } from "../../../../v2-kit/validate"

const AMOUNT = 125_050
const FEE = 3_126
const REFUND = 25_050
const ADVANCE = 7_000
const MONTH_SECONDS = 30 * 86_400

type Data = Record<string, unknown>

/**
 * Everything that an event of this type contains, with invented values: a receiver can be tested with it before anything
 * has been paid. Its ids exist nowhere, so a receiver that verifies one gets 404. The members are those of the services
 * that emit the events; a test compares them.
 */
export function sampleData(type: EventType, now: Date): Data {
  const [kind, change] = type.split(".")
  switch (kind) {
    case "payment":
      return paymentData(change)
    case "refund":
      return refundData(change)
    case "dispute":
      return disputeData(change, now)
    case "subscription":
      return subscriptionData(type, now)
    case "cash_order":
      return cashData(change)
    default:
      return invoice(now)
  }
}

const PAYMENTS: Record<string, { status: string; error_code: string | null }> = {
  succeeded: { status: "SUCCESS", error_code: null },
  failed: { status: "FAILED", error_code: "CARD_DECLINED" },
  cancelled: { status: "CANCELLED", error_code: null },
  expired: { status: "EXPIRED", error_code: null },
  authorized: { status: "PENDING", error_code: null },
  captured: { status: "SUCCESS", error_code: null },
  voided: { status: "CANCELLED", error_code: null },
  authorization_expired: { status: "EXPIRED", error_code: null },
}
const OF_AUTHORIZATIONS = ["authorized", "captured", "voided", "authorization_expired"]

function paymentData(change: string): Data {
  const { status, error_code } = PAYMENTS[change]
  const isReserved = OF_AUTHORIZATIONS.includes(change)
  const isCaptured = change === "captured"
  const wasTried = status === "SUCCESS" || status === "FAILED" || isReserved
  return {
    transaction_id: newTransactionId(),
    order_id: "SAMPLE-1001",
    session_id: newSessionId(),
    status,
    amount: formatAmount(AMOUNT),
    currency: "BDT",
    charge_amount: formatAmount(status === "SUCCESS" ? FEE : 0),
    payment_method: wasTried ? "CARD" : "",
    error_code,
    ...(isReserved && {
      authorized_amount: formatAmount(AMOUNT),
      captured_amount: formatAmount(isCaptured ? AMOUNT : 0),
    }),
    ...(isCaptured && { capture_id: newCaptureId(), capture_amount: formatAmount(AMOUNT) }),
  }
}

function refundData(change: string): Data {
  const status = change === "initiated" ? "pending" : change
  const isGivenUp = status === "failed" || status === "cancelled"
  return {
    refund_id: newRefundId(),
    transaction_id: newTransactionId(),
    refund_amount: formatAmount(REFUND),
    refund_status: status,
    original_amount: formatAmount(AMOUNT),
    remaining_amount: formatAmount(isGivenUp ? AMOUNT : AMOUNT - REFUND),
  }
}

const DISPUTES: Record<string, DisputeState> = { created: "needs_response", updated: "under_review", closed: "won" }

function disputeData(change: string, now: Date): Data {
  return eventData({
    id: newOrderedId("dsp"),
    transaction_id: newTransactionId(),
    order_id: "SAMPLE-1001",
    state: DISPUTES[change],
    reason: "product_not_received",
    amount_minor: AMOUNT,
    fee_minor: 0,
    currency: "BDT",
    acquirer_reference: "CB-1001",
    due_by: addSeconds(now, 7 * 86_400),
    missed_at: null,
    accepted_at: null,
  })
}

type CashSample = { state: string; collected_minor: number; given_up_minor: number; returned_minor?: number }
const CASH: Record<string, CashSample> = {
  placed: { state: "due", collected_minor: 0, given_up_minor: 0 },
  collected: { state: "collected", collected_minor: AMOUNT - ADVANCE, given_up_minor: 0 },
  refused: { state: "refused", collected_minor: 0, given_up_minor: AMOUNT - ADVANCE },
  changed: { state: "due", collected_minor: 0, given_up_minor: REFUND },
  refunded: { state: "collected", collected_minor: AMOUNT - ADVANCE, given_up_minor: 0, returned_minor: REFUND },
}

function cashData(change: string): Data {
  const order = { order_id: "order_sample", order_number: "1001", currency: "BDT" }
  const amounts = { total_minor: AMOUNT, advance_minor: ADVANCE, returned_minor: 0, ...CASH[change] }
  const collection = { id: newOrderedId("gch"), amount_minor: AMOUNT - ADVANCE, courier: "Pathao" }
  const cash = change === "collected" ? { collection } : change === "refunded" ? { returned: BigInt(REFUND) } : {}
  return cashEventData({ id: newId("gco"), ...order, ...amounts }, cash)
}

const STATUS: Record<string, string> = {
  "subscription.created": "PENDING",
  "subscription.trial_started": "TRIALING",
  "subscription.trial_ending": "TRIALING",
  "subscription.payment_failed": "PAST_DUE",
  "subscription.cancelled": "CANCELLED",
  "subscription.expired": "EXPIRED",
  "subscription.paused": "PAUSED",
}

function subscriptionData(type: string, now: Date): Data {
  const status = STATUS[type] ?? "ACTIVE"
  const next = addSeconds(now, MONTH_SECONDS).toISOString()
  const hasSchedule = !["PENDING", "CANCELLED", "EXPIRED"].includes(status)
  const known = {
    subscription_uuid: randomUUID(),
    subscription_id: 1001,
    customer_id: 1001,
    amount: formatAmount(AMOUNT),
    currency: "BDT",
    billing_cycle: status === "PENDING" || status === "TRIALING" ? 0 : 2,
    next_billing_date: hasSchedule ? next : null,
  }
  const payment = { payment_session_id: newSessionId(), transaction_id: newTransactionId() }
  if (type === "subscription.payment_succeeded") {
    return { ...known, ...payment }
  }
  return { ...known, status, ...ofType(type, now, next, payment) }
}

function ofType(type: string, now: Date, next: string, payment: Data): Data {
  switch (type) {
    case "subscription.payment_failed":
      return {
        ...payment,
        error_code: "INSUFFICIENT_FUNDS",
        failed_payment_count: 1,
        next_retry_at: addSeconds(now, 86_400).toISOString(),
      }
    case "subscription.period_skipped":
      return {
        reason: "out_of_stock",
        skipped_period: 3,
        skipped_period_start: now.toISOString(),
        skipped_period_end: next,
        variant_id: "variant_sample",
      }
    case "subscription.trial_started":
    case "subscription.trial_ending":
    case "subscription.trial_ended":
      return { trial_end_date: type === "subscription.trial_ended" ? now.toISOString() : next }
    case "subscription.changed":
      return { quantity: 1 }
    case "subscription.paused":
    case "subscription.resumed":
    case "subscription.uncancelled":
      return { current_period_end: next }
    case "subscription.cancelled":
    case "subscription.expired":
      return {
        cancel_at_period_end: false,
        cancellation_reason: null,
        cancellation_note: null,
        current_period_end: now.toISOString(),
      }
    default:
      return {}
  }
}

function invoice(now: Date): Data {
  return invoiceData(
    {
      number: 1001,
      uuid: randomUUID(),
      pay_token: "",
      invoice_type: "SUBSCRIPTION",
      status: "PENDING",
      business_name: "Sample Store",
      subscription_number: 1001,
      subscription_uuid: randomUUID(),
      customer_number: 1001,
      amount_minor: AMOUNT,
      lines: null,
      is_last: false,
      plan_name: "Sample plan",
      plan_name_bn: null,
      currency: "BDT",
      period_start: now,
      period_end: addSeconds(now, MONTH_SECONDS),
      due_date: now,
      paid_at: null,
      voided_at: null,
      opened_at: now,
    },
    null
  )
}

export const sampleSchema = z.object({
  event: z.enum(EVENT_TYPES, required(rule("one_of", { values: EVENT_TYPES.join(", ") }))),
  url: anyText,
})

export function readSample(body: JsonObject, allowPrivate: boolean): z.output<typeof sampleSchema> {
  return parseWithUrls(sampleSchema, withoutAbsent(body, []), { url: LIMITS.urlMaxChars }, allowPrivate)
}

/** A full body of the event's type with invented ids: it exposes a receiver that believes it without verifying. */
export function sampleEvent(
  event_type: EventType,
  caller: Pick<Caller, "now" | "merchant_number">
): { event_id: string; body: string } {
  const event_id = randomUUID()
  const record = {
    event_id,
    event_type,
    occurred_at: caller.now,
    merchant_number: caller.merchant_number,
    data: sampleData(event_type, caller.now),
  }
  return { event_id, body: JSON.stringify(eventBody(record)) }
}
