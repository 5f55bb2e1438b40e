import { EVENT_TYPES, type EventType } from "../../../../modules/gateway/kernel/events"
import { cursorListOf, envelopeOf } from "../../../v2-kit/openapi/fields"
import type { Documented } from "../../../v2-kit/openapi/operation"
import type { DocumentedEvent, DocumentedEvents } from "../../../v2-kit/openapi/webhooks"
import { exampleOfEvent, EXAMPLE_IPN } from "./examples"
import { anyEvent, eventOf, ipn } from "./answers"
import { filterSchema } from "./schemas"

const tag = "Events"
const EXAMPLE = {
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

export const operations: readonly Documented[] = [
  {
    method: "GET",
    path: "/events",
    id: "listEvents",
    tag,
    summary: "List events",
    description: [
      "Everything that has happened in the last 90 days or longer, in the sandbox in the last seven, newest first, delivered or not.",
      "To read all events without missing one, ask with `after`, first `after=start`, then the `event_id` of the last event of",
      "the answer before: they come oldest first, in an order in which nothing ever appears behind you.",
    ].join(" "),
    query: {
      schema: filterSchema,
      notes: {
        event_type: "Only events of this type.",
        from: "Only events from this moment on.",
        to: "Only events before this moment.",
        after:
          "Only events after the one with this `event_id`, oldest first; `start`: from the oldest on. Without `page`.",
      },
      paging: "per_page",
    },
    answer: {
      description: "A page of events.",
      schema: () => cursorListOf(anyEvent()),
      example: { success: true, message: "Events", data: [EXAMPLE], meta: { total: 1, page: 1, per_page: 20 } },
    },
  },
  {
    method: "GET",
    path: "/events/{event_id}",
    id: "getEvent",
    tag,
    summary: "Get an event",
    description:
      "Events are removed by whole months, once they are older than 90 days, in the sandbox every week once they are older than seven: `404 NOT_FOUND`.",
    answer: {
      description: "The event, in the shape in which it is delivered.",
      schema: () => envelopeOf(anyEvent()),
      example: { success: true, message: "Event", data: EXAMPLE, meta: {} },
    },
  },
]

const SUMMARIES: Readonly<Record<EventType, string>> = {
  "payment.succeeded": "A payment succeeded",
  "payment.failed": "A payment failed for good",
  "payment.cancelled": "A customer cancelled a payment",
  "payment.expired": "A checkout session ended unpaid",
  "refund.initiated": "A refund was accepted",
  "refund.processing": "A refund was sent to the acquirer",
  "refund.completed": "A refund is complete",
  "refund.failed": "A refund failed",
  "refund.cancelled": "A refund was cancelled",
  "subscription.created": "A subscription was created",
  "subscription.trial_started": "A trial began",
  "subscription.trial_ending": "A trial ends in three days",
  "subscription.trial_ended": "A trial ended",
  "subscription.activated": "A subscription became active",
  "subscription.payment_succeeded": "A period of a subscription was paid",
  "subscription.payment_failed": "A charge of a subscription failed",
  "subscription.period_skipped": "A period of a store's subscription was skipped",
  "subscription.cancelled": "A subscription was cancelled",
  "subscription.expired": "A subscription ended",
  "subscription.paused": "A subscription was paused",
  "subscription.resumed": "A subscription was resumed",
  "invoice.created": "An invoice was created",
  "dispute.created": "A payer disputes a payment",
  "dispute.updated": "A dispute went on",
  "dispute.closed": "A dispute was decided",
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
