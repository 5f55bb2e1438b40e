/**
 * Every event type: the contract's (6.1, 6.2), those of decisions (Webhooks), and beside both those of captures,
 * disputes and cash orders, which only an endpoint gets that asks for them or for all (docs/decisions/01, 10, 14).
 */
export const EVENT_TYPES = [
  "payment.succeeded",
  "payment.failed",
  "payment.cancelled",
  "payment.expired",
  "payment.authorized",
  "payment.captured",
  "payment.voided",
  "payment.authorization_expired",
  "refund.initiated",
  "refund.processing",
  "refund.completed",
  "refund.failed",
  "refund.cancelled",
  "subscription.created",
  "subscription.trial_started",
  "subscription.trial_ending",
  "subscription.trial_ended",
  "subscription.activated",
  "subscription.payment_succeeded",
  "subscription.payment_failed",
  "subscription.period_skipped",
  "subscription.cancelled",
  "subscription.uncancelled",
  "subscription.changed",
  "subscription.expired",
  "subscription.paused",
  "subscription.resumed",
  "invoice.created",
  "dispute.created",
  "dispute.updated",
  "dispute.closed",
  "cash_order.placed",
  "cash_order.collected",
  "cash_order.refused",
  "cash_order.changed",
  "cash_order.refunded",
] as const

export type EventType = (typeof EVENT_TYPES)[number]

export const ALL_EVENTS = "*"

/** What an endpoint can ask for. */
export type Subscribed = EventType | typeof ALL_EVENTS

/** How long events can be read and sent again. */
export const EVENT_LIFE_DAYS = 90

export type EventRecord = {
  event_id: string
  event_type: string
  occurred_at: Date
  merchant_number: number
  data: Record<string, unknown>
}

/** The body of an event. Refund events have the contract's own shape (6.2), all others that of 6.1. */
export function eventBody(event: EventRecord): Record<string, unknown> {
  const { event_id, event_type, merchant_number, data } = event
  const at = event.occurred_at.toISOString()
  return event_type.startsWith("refund.")
    ? { event_id, event: event_type, timestamp: at, data }
    : { event_id, event_type, occurred_at: at, merchant_id: merchant_number, data }
}
