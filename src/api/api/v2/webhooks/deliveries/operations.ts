import { cursorListOf, envelopeOf } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { sampleSchema } from "../[test]/schemas"
import { delivery, redelivered, testDelivery } from "./answers"
import { filterSchema, sinceSchema } from "./schemas"

const tag = "Webhooks"

const EXAMPLE = {
  id: 1001,
  event_id: "a695655c-7203-4d78-b5cd-f5d3dfc8fc26",
  event_type: "payment.succeeded",
  endpoint_id: 1001,
  url: "https://shop.example.com/webhooks",
  status: "delivered",
  attempts: 1,
  next_attempt_at: null,
  status_code: 200,
  error: null,
  delivered_at: "2027-03-01T10:00:01.000Z",
  created_at: "2027-03-01T10:00:00.000Z",
  log: [
    {
      attempt: 1,
      attempted_at: "2027-03-01T10:00:01.000Z",
      url: "https://shop.example.com/webhooks",
      duration_ms: 84,
      status_code: 200,
      response: "ok",
      error: null,
    },
  ],
}

export const operations: readonly Documented[] = [
  {
    method: "POST",
    path: "/webhooks/test",
    id: "sendTestEvent",
    tag,
    summary: "Send a sample event",
    description: [
      "Delivers one event with invented ids at once and says what came of it; 200 also when the receiver failed. It is signed",
      "with the secret of the endpoint that is registered at this address, or else with the IPN secret.",
    ].join(" "),
    body: {
      name: "SampleEvent",
      schema: sampleSchema,
      notes: {
        event: "The type of the event.",
        url: { format: "uri", maxLength: 2048, description: "Where to send it." },
      },
      example: { event: "payment.succeeded", url: "https://shop.example.com/webhooks" },
    },
    answer: {
      description: "What came of it.",
      schema: () => envelopeOf(testDelivery()),
      example: {
        success: true,
        message: "Test delivery",
        data: { delivered: true, status_code: 200, duration_ms: 84 },
        meta: {},
      },
    },
    codes: ["INVALID_CALLBACK_URL", "MISSING_REQUIRED_FIELD"],
  },
  {
    method: "GET",
    path: "/webhooks/deliveries",
    id: "listDeliveries",
    tag,
    summary: "List deliveries",
    description: [
      "Every event on its way to every receiver, newest first, with all attempts. With `after` they come oldest first, in the",
      "order of their events, and none ever appears behind you.",
    ].join(" "),
    query: {
      schema: filterSchema,
      notes: {
        endpoint_id: "Only those to this endpoint, by its `id` or its `uuid`.",
        event_id: "Only those of this event.",
        event_type: "Only those of events of this type.",
        status: "Only those of this status.",
        after: "Only those after the one with this `id`, oldest first; `start`: from the oldest on. Without `page`.",
      },
      paging: "per_page",
    },
    answer: {
      description: "A page of deliveries.",
      schema: () => cursorListOf(delivery()),
      example: {
        success: true,
        message: "Webhook deliveries",
        data: [EXAMPLE],
        meta: { total: 1, page: 1, per_page: 20 },
      },
    },
  },
  {
    method: "POST",
    path: "/webhooks/deliveries/{id}/redeliver",
    id: "redeliver",
    tag,
    summary: "Send a delivery again",
    description: "Whatever became of it. While its endpoint is off it is refused.",
    parameters: { id: { description: "The delivery, by its `id`.", example: "1001" } },
    answer: {
      description: "It is on its way again.",
      schema: () => envelopeOf(delivery()),
      example: {
        success: true,
        message: "The delivery is on its way again",
        data: {
          ...EXAMPLE,
          status: "pending",
          next_attempt_at: "2027-03-01T11:00:00.000Z",
          delivered_at: null,
        },
        meta: {},
      },
    },
    codes: ["INVALID_STATE_TRANSITION"],
  },
  {
    method: "POST",
    path: "/webhooks/deliveries/redeliver-failed",
    id: "redeliverFailed",
    tag,
    summary: "Send everything again that failed",
    description: "All deliveries of events since a moment that have failed for good, except to endpoints that are off.",
    body: {
      name: "RedeliverySince",
      schema: sinceSchema,
      notes: { since: "Events from this moment on." },
      example: { since: "2027-03-01T00:00:00Z" },
    },
    answer: {
      description: "They are on their way again.",
      schema: () => envelopeOf(redelivered()),
      example: {
        success: true,
        message: "Failed deliveries are on their way again",
        data: { redelivered: 3 },
        meta: {},
      },
    },
    codes: ["MISSING_REQUIRED_FIELD"],
  },
]
