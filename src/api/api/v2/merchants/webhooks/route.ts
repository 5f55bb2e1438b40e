import { operation } from "../../../../v2-kit/operation"
import { repeatable } from "../../../../v2-kit/idempotency"
import { readPage } from "../../../../v2-kit/lists"
import {
  EXAMPLE,
  NOTES,
  WITH_SECRET,
  endpointSchema,
  presentEndpoint,
  readEndpoint,
  webhookEndpoint,
  webhookEndpointWithSecret,
} from "./resource"
import { enveloped, listed } from "../../../../v2-kit/answers"

/** Registers a webhook endpoint (contract 4.7); only this response shows its secret. */
export const POST = operation({
  id: "createWebhookEndpoint",
  tag: "Webhooks",
  summary: "Register a webhook endpoint",
  description:
    "From now on the events that it names are delivered to it, signed, at least once. There are at most 16 endpoints in an environment.",
  scope: "webhooks:write",
  body: {
    name: "NewWebhookEndpoint",
    schema: endpointSchema,
    notes: NOTES,
    example: { endpoint_url: EXAMPLE.endpoint_url, event_types: EXAMPLE.event_types },
  },
  answer: enveloped({
    message: "Webhook endpoint registered",
    data: webhookEndpointWithSecret,
    status: 201,
    description: "The endpoint with its secret.",
    example: WITH_SECRET,
  }),
  codes: ["INVALID_CALLBACK_URL", "MISSING_REQUIRED_FIELD", "WEBHOOK_NOT_FOUND"],
  run: async (context) => {
    const { gateway, body } = context
    const input = readEndpoint(body, gateway.options.allowPrivateUrls)
    const row = await gateway.webhookEndpoints.create(repeatable(context), input)
    return { ...presentEndpoint(row), secret: row.secret }
  },
})

export const GET = operation({
  id: "listWebhookEndpoints",
  tag: "Webhooks",
  summary: "List webhook endpoints",
  description: "Newest first, without their secrets.",
  scope: "webhooks:read",
  query: { paging: "per_page" },
  answer: listed({
    message: "Webhook endpoints",
    item: webhookEndpoint,
    description: "A page of endpoints.",
    example: EXAMPLE,
  }),
  run: async ({ gateway, caller, query }) => {
    const page = readPage(query)
    const { rows, total } = await gateway.webhookEndpoints.list(caller, page)
    return { rows: rows.map(presentEndpoint), total, page }
  },
})
