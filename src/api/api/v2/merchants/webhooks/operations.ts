import { envelopeOf, listOf } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { webhookEndpoint, webhookEndpointWithSecret } from "./answers"
import { changeSchema, endpointSchema } from "./schemas"

const tag = "Webhooks"
const PATH = "/merchants/webhooks/{id}"
const parameters = { id: { description: "The endpoint, by its `id` or its `uuid`.", example: "1001" } }

const NOTES = {
  endpoint_url: {
    format: "uri",
    maxLength: 2048,
    description: "Where events are to be delivered: `https`, on a public host.",
  },
  event_types: "Which events; `*` is all of them.",
  signature_format: "How x-webhook-signature is written: bare hexadecimal, or with `sha256=` before it.",
}

const EXAMPLE = {
  id: 1001,
  uuid: "9c1f7e52-1a0b-4c3d-8e5f-6a7b8c9d0e1f",
  endpoint_url: "https://shop.example.com/webhooks",
  event_types: ["payment.succeeded", "refund.completed"],
  signature_format: "hex",
  is_active: true,
  disabled_reason: null,
  created_at: "2027-03-01T10:00:00.000Z",
}
const WITH_SECRET = { ...EXAMPLE, secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=" }

export const operations: readonly Documented[] = [
  {
    method: "POST",
    path: "/merchants/webhooks",
    id: "createWebhookEndpoint",
    tag,
    summary: "Register a webhook endpoint",
    description:
      "From now on the events that it names are delivered to it, signed, at least once. There are at most 16 endpoints in an environment.",
    body: {
      name: "NewWebhookEndpoint",
      schema: endpointSchema,
      notes: NOTES,
      example: { endpoint_url: EXAMPLE.endpoint_url, event_types: EXAMPLE.event_types },
    },
    answer: {
      status: 201,
      description: "The endpoint with its secret.",
      schema: () => envelopeOf(webhookEndpointWithSecret()),
      example: { success: true, message: "Webhook endpoint registered", data: WITH_SECRET, meta: {} },
    },
    codes: ["INVALID_CALLBACK_URL", "MISSING_REQUIRED_FIELD", "WEBHOOK_NOT_FOUND"],
  },
  {
    method: "GET",
    path: "/merchants/webhooks",
    id: "listWebhookEndpoints",
    tag,
    summary: "List webhook endpoints",
    description: "Newest first, without their secrets.",
    query: { paging: "per_page" },
    answer: {
      description: "A page of endpoints.",
      schema: () => listOf(webhookEndpoint()),
      example: {
        success: true,
        message: "Webhook endpoints",
        data: [EXAMPLE],
        meta: { total: 1, page: 1, per_page: 20 },
      },
    },
  },
  {
    method: "GET",
    path: PATH,
    id: "getWebhookEndpoint",
    tag,
    summary: "Get a webhook endpoint",
    parameters,
    answer: {
      description: "The endpoint without its secret.",
      schema: () => envelopeOf(webhookEndpoint()),
      example: { success: true, message: "Webhook endpoint", data: EXAMPLE, meta: {} },
    },
    codes: ["WEBHOOK_NOT_FOUND"],
  },
  {
    method: "PATCH",
    path: PATH,
    id: "updateWebhookEndpoint",
    tag,
    summary: "Change a webhook endpoint",
    description: "`is_active: true` also switches on an endpoint that the gateway has switched off.",
    parameters,
    body: {
      name: "WebhookEndpointChange",
      schema: changeSchema,
      notes: { ...NOTES, is_active: "`false`: nothing is delivered to it." },
      example: { event_types: ["*"] },
    },
    answer: {
      description: "The changed endpoint.",
      schema: () => envelopeOf(webhookEndpoint()),
      example: {
        success: true,
        message: "Webhook endpoint changed",
        data: { ...EXAMPLE, event_types: ["*"] },
        meta: {},
      },
    },
    codes: ["WEBHOOK_NOT_FOUND", "INVALID_CALLBACK_URL"],
  },
  {
    method: "DELETE",
    path: PATH,
    id: "deleteWebhookEndpoint",
    tag,
    summary: "Delete a webhook endpoint",
    parameters,
    answer: {
      description: "The deleted endpoint.",
      schema: () => envelopeOf(webhookEndpoint()),
      example: { success: true, message: "Webhook endpoint deleted", data: EXAMPLE, meta: {} },
    },
    codes: ["WEBHOOK_NOT_FOUND"],
  },
  {
    method: "POST",
    path: `${PATH}/rotate-secret`,
    id: "rotateWebhookSecret",
    tag,
    summary: "Give a webhook endpoint a new secret",
    description:
      "For 24 hours the old one signs too, in the header `webhook-signature`, whatever rotations follow; at most eight old ones do.",
    parameters,
    answer: {
      description: "The endpoint with its new secret.",
      schema: () => envelopeOf(webhookEndpointWithSecret()),
      example: { success: true, message: "The endpoint has a new secret", data: WITH_SECRET, meta: {} },
    },
    codes: ["WEBHOOK_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  },
]
