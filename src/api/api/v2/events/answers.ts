import { z } from "@medusajs/framework/zod"
import { DISPUTE_REASONS } from "../../../../modules/gateway/disputes/rules"
import { DISPUTE_STATES } from "../../../../modules/gateway/disputes/states"
import { EVENT_TYPES, type EventType } from "../../../../modules/gateway/kernel/events"
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
import { named, nameOf } from "../../../v2-kit/openapi/named"
import { eventName } from "../../../v2-kit/openapi/webhooks"
import { invoice } from "../payments/invoices/answers"

const paymentData = named("PaymentEventData", () =>
  z.object({
    transaction_id: transactionId(),
    order_id: words("Your own id of the order."),
    session_id: sessionId(),
    status: oneOf(["SUCCESS", "FAILED", "CANCELLED", "EXPIRED"], "How the payment ended."),
    amount: money("The amount of the order."),
    currency: currencyCode(),
    charge_amount: money("The processing fee."),
    payment_method: words("The payment service that was used or tried last, as in `BKASH`; empty if none was."),
    error_code: z.string().nullable().describe("Why it failed; null when it did not."),
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

/** Members of every event about a subscription. */
const known = () => ({
  subscription_uuid: uuid("The subscription."),
  subscription_id: whole("The same subscription by its number."),
  customer_id: whole("Its customer."),
  amount: money("What the period costs."),
  currency: currencyCode(),
  billing_cycle: whole("How many periods are paid; in an event about a payment, which period that is."),
  next_billing_date: moment("When it is charged next; null when it is not.").nullable(),
})
const withStatus = () => ({ ...known(), status: oneOf(SUBSCRIPTION_STATES, "The state after this change.") })
const payment = () => ({
  payment_session_id: words("The checkout session of the payment; empty for an automatic charge."),
  transaction_id: words("The transaction of the payment; empty if none was made."),
})
const end = () => ({
  current_period_end: moment("When the paid period ends.").nullable(),
})

const subscriptionData = named("SubscriptionEventData", () => z.object(withStatus()))
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
  })
)

const OF_SUBSCRIPTIONS: Partial<Record<EventType, () => z.ZodType>> = {
  "subscription.payment_succeeded": paidData,
  "subscription.payment_failed": chargeFailedData,
  "subscription.period_skipped": skippedData,
  "subscription.trial_started": trialData,
  "subscription.trial_ending": trialData,
  "subscription.trial_ended": trialData,
  "subscription.paused": pausedData,
  "subscription.resumed": pausedData,
  "subscription.cancelled": endedData,
  "subscription.expired": endedData,
}

const OF_KINDS: Readonly<Record<string, () => z.ZodType>> = {
  payment: paymentData,
  refund: refundData,
  dispute: disputeData,
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
