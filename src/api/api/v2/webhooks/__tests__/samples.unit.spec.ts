import { cashEventData } from "../../../../../modules/gateway/cash/rules"
import { EVENT_TYPES } from "../../../../../modules/gateway/kernel/database/events"
import { eventData, type EventFacts } from "../../../../../modules/gateway/disputes/rules"
import { invoiceData } from "../../../../../modules/gateway/invoices/rules"
import { paymentEventData, type PaymentFacts } from "../../../../../modules/gateway/payments/records"
import { refundEvents, type Refund, type RefundableRecord } from "../../../../../modules/gateway/refunds/records"
import { subscriptionEvents } from "../../../../../modules/gateway/subscriptions/events"
import type { SubscriptionRow } from "../../../../../modules/gateway/subscriptions/records"
import { sampleData, sampleEvent } from "../[test]/samples"

const now = new Date("2027-03-01T10:00:00.000Z")

const OF_AUTHORIZATIONS = ["payment.authorized", "payment.captured", "payment.voided", "payment.authorization_expired"]

/** The data that the services write for an event of this type, of rows as empty as their builders allow. */
function emitted(type: string): Record<string, unknown> {
  if (type.startsWith("payment.")) {
    const authorized_minor = OF_AUTHORIZATIONS.includes(type) ? 1 : null
    const data = paymentEventData({ amount_minor: 1, charge_minor: 1, authorized_minor } as PaymentFacts, "SUCCESS")
    return type === "payment.captured" ? { ...data, capture_id: "", capture_amount: "" } : data
  }
  if (type.startsWith("refund.")) {
    const change = { refund: { amount_minor: 1 } as Refund, emits: [type], remaining_minor: 1 }
    return refundEvents({ amount_minor: 1 } as RefundableRecord, [change], now)[0].data
  }
  if (type.startsWith("subscription.")) {
    const dates = { next_billing_date: null, trial_end_date: null, current_period_end: null, retry_at: null }
    const end = { billing_cycles: null, ends_at: null, scheduled_change: null, open_price_minor: null }
    return subscriptionEvents({ amount_minor: 1, quantity: 1, ...dates, ...end } as SubscriptionRow, [type], now)[0]
      .data
  }
  if (type.startsWith("dispute.")) {
    return eventData({ amount_minor: 1, fee_minor: 0, due_by: now } as EventFacts)
  }
  if (type.startsWith("cash_order.")) {
    const amounts = { total_minor: 1, advance_minor: 0, collected_minor: 0, given_up_minor: 0, returned_minor: 0 }
    return cashEventData({ ...amounts } as Parameters<typeof cashEventData>[0], {})
  }
  const dates = { due_date: now, period_start: now, period_end: now, opened_at: now }
  return invoiceData({ number: 1, amount_minor: 1, ...dates } as Parameters<typeof invoiceData>[0], null)
}

describe("decisions: Found by real clients — a test delivery is a full sample of its event", () => {
  it.each(EVENT_TYPES)("%s has the members of the event itself, each with a value of its kind", (type) => {
    const sample = sampleData(type, now)
    expect(Object.keys(sample).sort()).toEqual(Object.keys(emitted(type)).sort())
    expect(Object.entries(sample).filter(([, value]) => value === undefined)).toEqual([])
    expect(sample).toEqual(JSON.parse(JSON.stringify(sample)))
  })

  it.each([
    ["payment.succeeded", { status: "SUCCESS", amount: "1250.50", charge_amount: "31.26", error_code: null }],
    ["payment.failed", { status: "FAILED", charge_amount: "0.00", error_code: "CARD_DECLINED" }],
    ["payment.cancelled", { status: "CANCELLED", payment_method: "" }],
    ["payment.expired", { status: "EXPIRED", payment_method: "" }],
    ["payment.authorized", { status: "PENDING", authorized_amount: "1250.50", captured_amount: "0.00" }],
    ["payment.captured", { status: "SUCCESS", captured_amount: "1250.50", capture_amount: "1250.50" }],
    ["payment.voided", { status: "CANCELLED", captured_amount: "0.00" }],
    ["refund.initiated", { refund_status: "pending", remaining_amount: "1000.00" }],
    ["refund.completed", { refund_status: "completed", refund_amount: "250.50", remaining_amount: "1000.00" }],
    ["refund.failed", { refund_status: "failed", remaining_amount: "1250.50" }],
    ["refund.cancelled", { refund_status: "cancelled", remaining_amount: "1250.50" }],
    ["subscription.created", { status: "PENDING", next_billing_date: null }],
    ["subscription.payment_succeeded", { billing_cycle: 2, next_billing_date: "2027-03-31T10:00:00.000Z" }],
    ["subscription.payment_failed", { status: "PAST_DUE", next_retry_at: "2027-03-02T10:00:00.000Z" }],
    ["subscription.cancelled", { status: "CANCELLED", cancellation_reason: null, next_billing_date: null }],
    ["dispute.created", { status: "needs_response", amount: "1250.50", evidence_due_by: "2027-03-08T10:00:00.000Z" }],
    ["dispute.closed", { status: "won", accepted: false, is_overdue: false }],
    ["cash_order.placed", { status: "due", due: "1180.50", collection_id: null }],
    ["cash_order.collected", { status: "collected", due: "0.00", collection_amount: "1180.50" }],
    ["cash_order.refused", { status: "refused", due: "0.00", collected: "0.00" }],
    ["cash_order.changed", { status: "due", due: "930.00", refund_amount: null }],
    ["cash_order.refunded", { status: "collected", returned: "250.50", refund_amount: "250.50" }],
    ["invoice.created", { invoice_id: "INV-001001", invoice_status: "PENDING", payable_amount: 1250.5 }],
  ] as const)("%s fits together: %p", (type, data) => {
    expect(sampleData(type, now)).toMatchObject(data)
  })

  it("is in the shape of its kind, with ids that exist nowhere and differ each time", () => {
    const body = (type: (typeof EVENT_TYPES)[number]) =>
      JSON.parse(sampleEvent(type, { now, merchant_number: 7 }).body) as Record<string, unknown>
    expect(body("refund.failed")).toMatchObject({ event: "refund.failed", timestamp: now.toISOString() })
    expect(body("payment.failed")).toMatchObject({ event_type: "payment.failed", merchant_id: 7 })
    const id = () => sampleData("payment.failed", now).transaction_id
    expect(id()).toMatch(/^txn[0-9a-f]{32}$/)
    expect(id()).not.toBe(id())
  })
})
