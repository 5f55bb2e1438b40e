import { z } from "@medusajs/framework/zod"
import { CASH_ORDER_STATES } from "../../../../modules/gateway/cash/states"
import { DISPUTE_REASONS } from "../../../../modules/gateway/disputes/rules"
import { DISPUTE_STATES } from "../../../../modules/gateway/disputes/states"
import { EVENT_TYPES, type EventType, eventBody } from "../../../../modules/gateway/kernel/database/events"
import { REFUND_STATES } from "../../../../modules/gateway/refunds/states"
import { SUBSCRIPTION_STATES } from "../../../../modules/gateway/subscriptions/states"
import { SKIP_REASONS } from "../../../../modules/gateway/subscriptions/store/stock"
import {
  currencyCode,
  moment,
  money,
  oneOf,
  sessionId,
  transactionId,
  truth,
  uuid,
  whole,
  words,
} from "../../../v2-kit/openapi/fields"
import { nameOf, named } from "../../../v2-kit/openapi/named"
import { type DocumentedEvent, type DocumentedEvents, eventName } from "../../../v2-kit/openapi/webhooks"
import { instant, rule, text } from "../../../v2-kit/validate"
import { invoice } from "../payments/invoices/resource"
import { endAnswer, quantityMembers } from "../payments/subscriptions/terms"
import { sampleData } from "../webhooks/[test]/samples"
import { SUMMARIES } from "./summaries"

const paymentData = named("PaymentEventData", () =>
  z.object({
    transaction_id: transactionId(),
    order_id: words("Your own id of the order."),
    session_id: sessionId(),
    status: oneOf(
      ["SUCCESS", "FAILED", "CANCELLED", "EXPIRED", "PENDING"],
      "How the payment ended. `PENDING`: its money is reserved, and not yet captured."
    ),
    amount: money("The amount of the order, or what was captured of it."),
    currency: currencyCode(),
    charge_amount: money("The processing fee."),
    payment_method: words("The payment service that was used or tried last, as in `BKASH`; empty if none was."),
    error_code: z.string().nullable().describe("Why it failed; null when it did not."),
    authorized_amount: money("What was reserved. Only of a payment whose money was reserved first.").optional(),
    captured_amount: money("What has been captured of it.").optional(),
    capture_id: words("The capture. Only in `payment.captured`.").optional(),
    capture_amount: money("What this capture took. Only in `payment.captured`.").optional(),
    released_amount: money("What was let go after a part was captured.").optional(),
  })
)

const refundData = named("RefundEventData", () =>
  z.object({
    refund_id: words("The refund."),
    transaction_id: transactionId("The payment that is refunded."),
    refund_amount: money("The amount of this refund."),
    refund_status: oneOf(REFUND_STATES, "The state after this change."),
    original_amount: money("The amount of the payment."),
    remaining_amount: money("What of the payment can still be refunded."),
  })
)

const disputeData = named("DisputeEventData", () =>
  z.object({
    dispute_id: words("The dispute."),
    transaction_id: transactionId("The disputed payment."),
    order_id: words("Your own id of the order."),
    status: oneOf(DISPUTE_STATES, "The state after this change."),
    reason: oneOf(DISPUTE_REASONS, "Why the payer disputes."),
    amount: money("The disputed amount."),
    fee_amount: money("What the acquirer charges for the dispute."),
    currency: currencyCode(),
    reference: words("The acquirer's number of the dispute."),
    evidence_due_by: moment("Until when the bank takes evidence.").nullable(),
    is_overdue: truth("Whether that has passed without any."),
    accepted: truth("Whether the merchant gave the dispute up."),
  })
)

const cashOrderData = named("CashOrderEventData", () =>
  z.object({
    cash_order_id: words("The cash order."),
    order_id: words("The store's own id of the order."),
    order_number: words("The number that the shop shows for it.").nullable(),
    status: oneOf(CASH_ORDER_STATES, "The state after this change."),
    currency: currencyCode(),
    total: money("What the order cost when it was placed."),
    advance: money("What of it was paid online."),
    collected: money("What has come in cash."),
    due: money("What is still due in cash."),
    returned: money("What of it was handed back in cash."),
    collection_id: words("The cash that came with this event.").nullable(),
    collection_amount: money("How much that is.").nullable(),
    courier: words("Who brought it.").nullable(),
    refund_amount: money("How much was handed back with this event.").nullable(),
  })
)

/** Members of every event about a subscription. */
const known = () => ({
  subscription_uuid: uuid("The subscription."),
  subscription_id: whole("The same subscription by its number."),
  customer_id: whole("Its customer."),
  amount: money("What the period costs."),
  currency: currencyCode(),
  billing_cycle: whole("How many periods are paid; in an event about a payment, which period that is."),
  next_billing_date: moment("When it is charged next; null when it is not.").nullable(),
  ...endAnswer(),
})
const withStatus = () => ({
  ...known(),
  ...quantityMembers(),
  status: oneOf(SUBSCRIPTION_STATES, "The state after this change."),
})
const payment = () => ({
  payment_session_id: words("The checkout session of the payment; empty for an automatic charge."),
  transaction_id: words("The transaction of the payment; empty if none was made."),
})
const end = () => ({
  current_period_end: moment("When the paid period ends.").nullable(),
})

const subscriptionData = named("SubscriptionEventData", () => z.object(withStatus()))
const changedData = named("SubscriptionChangedEventData", () =>
  z.object({ ...withStatus(), quantity: whole("How many it is of now.") })
)
const paidData = named("SubscriptionPaidEventData", () => z.object({ ...known(), ...payment() }))
const chargeFailedData = named("SubscriptionPaymentFailedEventData", () =>
  z.object({
    ...withStatus(),
    ...payment(),
    error_code: words("Why the charge failed; empty when nothing is on file that could be charged."),
    failed_payment_count: whole("How often this period has failed."),
    next_retry_at: moment("When it is tried again; null when it is not.").nullable(),
  })
)
const skippedData = named("SubscriptionPeriodSkippedEventData", () =>
  z.object({
    ...withStatus(),
    reason: oneOf(SKIP_REASONS, "Why the goods of this period were not delivered."),
    skipped_period: whole("Which period, from 1."),
    skipped_period_start: moment("When it would have begun.").nullable(),
    skipped_period_end: moment("When it would have ended.").nullable(),
    variant_id: words("The product variant of the store."),
  })
)
const trialData = named("SubscriptionTrialEventData", () =>
  z.object({ ...withStatus(), trial_end_date: moment("When the trial ends or ended.").nullable() })
)
const pausedData = named("SubscriptionPausedEventData", () => z.object({ ...withStatus(), ...end() }))
const endedData = named("SubscriptionEndedEventData", () =>
  z.object({
    ...withStatus(),
    ...end(),
    cancel_at_period_end: truth("Whether it may be used until the paid period ends."),
    cancellation_reason: z.string().nullable().describe("Why, as it was given."),
    cancellation_note: z.string().nullable().describe("What the customer added."),
  })
)

const OF_SUBSCRIPTIONS: Partial<Record<EventType, () => z.ZodType>> = {
  "subscription.payment_succeeded": paidData,
  "subscription.payment_failed": chargeFailedData,
  "subscription.period_skipped": skippedData,
  "subscription.trial_started": trialData,
  "subscription.trial_ending": trialData,
  "subscription.trial_ended": trialData,
  "subscription.changed": changedData,
  "subscription.paused": pausedData,
  "subscription.resumed": pausedData,
  "subscription.uncancelled": pausedData,
  "subscription.cancelled": endedData,
  "subscription.expired": endedData,
}

const OF_KINDS: Readonly<Record<string, () => z.ZodType>> = {
  payment: paymentData,
  refund: refundData,
  dispute: disputeData,
  cash_order: cashOrderData,
  subscription: subscriptionData,
  invoice,
}

const eventId = () => uuid("The event. The same one may arrive more than once: process each id once.")
const what = (type: EventType) => z.literal(type).describe("What happened.")
const when = () => moment("When it happened, on the merchant's clock.")

function bodyOf(type: EventType): z.ZodType {
  const data = (OF_SUBSCRIPTIONS[type] ?? OF_KINDS[type.split(".")[0]])()
  const schema = type.startsWith("refund.")
    ? z.object({ event_id: eventId(), event: what(type), timestamp: when(), data })
    : z.object({
        event_id: eventId(),
        event_type: what(type),
        occurred_at: when(),
        merchant_id: whole("Your merchant number."),
        data,
      })
  nameOf(schema, eventName(type))
  return schema
}

const made = new Map<EventType, z.ZodType>()

/** The whole body of an event. Those of refunds have a shape of their own (contract 6.2). */
export function eventOf(type: EventType): z.ZodType {
  const schema = made.get(type) ?? bodyOf(type)
  made.set(type, schema)
  return schema
}

export const anyEvent = named("Event", () =>
  z
    .union(EVENT_TYPES.map(eventOf) as [z.ZodType, z.ZodType])
    .describe("An event, as it was or would have been delivered.")
)

export const ipn = named("Ipn", () =>
  z.object({
    event_id: eventId(),
    transaction_id: transactionId(),
    order_id: words("Your own id of the order."),
    session_id: sessionId(),
    status: oneOf(["SUCCESS", "FAILED", "CANCELLED", "EXPIRED", "REFUNDED"], "How the payment ended."),
    amount: money("The amount of the order."),
    currency: currencyCode(),
    payment_method: words("The payment service that was used or tried last; empty if none was."),
    occurred_at: when(),
  })
)

export const filterSchema = z.object({
  event_type: z.enum(EVENT_TYPES, rule("event")).optional(),
  from: instant.optional(),
  to: instant.optional(),
  after: text(64).optional(),
})

const AT = new Date("2027-03-01T10:00:00.000Z")

/** Ids of samples are new each time; the document must be the same each time. */
const IDS: readonly [RegExp, string][] = [
  [/\btxn[0-9a-f]{32}\b/g, "txn0123456789abcdef0123456789abcdef"],
  [/\bses_[A-Za-z0-9_-]{32}(?=")/g, "ses_Q2hlY2tvdXRTZXNzaW9uRXhhbXBsZTAx"],
  [/\brfd_[0-9a-f]+\b/g, "rfd_0193a5f0c2d4000001a1b2c3d4e5"],
  [/\bcap_[0-9a-f]+\b/g, "cap_0193a5f0c2d4000001a1b2c3d4e5"],
  [/\bdsp_[0-9a-f]+\b/g, "dsp_0193a5f0c2d4000001a1b2c3d4e5"],
  [/\bgco_[0-9a-f]+\b/g, "gco_0123456789abcdef0123456789"],
  [/\bgch_[0-9a-f]+\b/g, "gch_0193a5f0c2d4000001a1b2c3d4e5"],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "a695655c-7203-4d78-b5cd-f5d3dfc8fc26"],
]

/** The sample of an event type, with ids that never change. */
function exampleOfEvent(event_type: EventType): unknown {
  const record = { event_id: "", event_type, occurred_at: AT, merchant_number: 1, data: sampleData(event_type, AT) }
  const body = { ...eventBody(record), event_id: "a695655c-7203-4d78-b5cd-f5d3dfc8fc26" }
  return JSON.parse(IDS.reduce((text, [id, fixed]) => text.replace(id, fixed), JSON.stringify(body)))
}

const EXAMPLE_IPN = {
  event_id: "a695655c-7203-4d78-b5cd-f5d3dfc8fc26",
  transaction_id: "txn0123456789abcdef0123456789abcdef",
  order_id: "order-1001",
  session_id: "ses_Q2hlY2tvdXRTZXNzaW9uRXhhbXBsZTAx",
  status: "SUCCESS",
  amount: "1250.50",
  currency: "BDT",
  payment_method: "CARD",
  occurred_at: "2027-03-01T10:00:00.000Z",
}

export const EXAMPLE = {
  event_id: "a695655c-7203-4d78-b5cd-f5d3dfc8fc26",
  event_type: "payment.succeeded",
  occurred_at: "2027-03-01T10:00:00.000Z",
  merchant_id: 1,
  data: {
    transaction_id: "txn0123456789abcdef0123456789abcdef",
    order_id: "order-1001",
    session_id: "ses_Q2hlY2tvdXRTZXNzaW9uRXhhbXBsZTAx",
    status: "SUCCESS",
    amount: "1250.50",
    currency: "BDT",
    charge_amount: "31.26",
    payment_method: "CARD",
    error_code: null,
  },
}

export const documentedEvents = (): DocumentedEvents => ({
  events: Object.fromEntries(
    EVENT_TYPES.map((type): [EventType, DocumentedEvent] => [
      type,
      { summary: SUMMARIES[type], schema: () => eventOf(type), example: exampleOfEvent(type) },
    ])
  ) as Record<EventType, DocumentedEvent>,
  ipn: { summary: "The outcome of an order, to its ipn_url", schema: ipn, example: EXAMPLE_IPN },
})
