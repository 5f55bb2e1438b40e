import { operation } from "../../../../../v2-kit/operation"
import {
  EXAMPLE,
  NOTES,
  changeSchema,
  parameters,
  presentEndpoint,
  readEndpointChange,
  webhookEndpoint,
} from "../resource"
import { enveloped } from "../../../../../v2-kit/answers"

export const GET = operation({
  id: "getWebhookEndpoint",
  tag: "Webhooks",
  summary: "Get a webhook endpoint",
  scope: "webhooks:read",
  parameters,
  answer: enveloped({
    message: "Webhook endpoint",
    data: webhookEndpoint,
    description: "The endpoint without its secret.",
    example: EXAMPLE,
  }),
  codes: ["WEBHOOK_NOT_FOUND"],
  run: async ({ gateway, caller, params }) =>
    presentEndpoint(await gateway.webhookEndpoints.retrieve(caller, params.id)),
})

export const PATCH = operation({
  id: "updateWebhookEndpoint",
  tag: "Webhooks",
  summary: "Change a webhook endpoint",
  description: "`is_active: true` also switches on an endpoint that the gateway has switched off.",
  scope: "webhooks:write",
  parameters,
  body: {
    name: "WebhookEndpointChange",
    schema: changeSchema,
    notes: { ...NOTES, is_active: "`false`: nothing is delivered to it." },
    example: { event_types: ["*"] },
  },
  answer: enveloped({
    message: "Webhook endpoint changed",
    data: webhookEndpoint,
    description: "The changed endpoint.",
    example: { ...EXAMPLE, event_types: ["*"] },
  }),
  codes: ["WEBHOOK_NOT_FOUND", "INVALID_CALLBACK_URL"],
  run: async ({ gateway, caller, params, body }) => {
    const change = readEndpointChange(body, gateway.options.allowPrivateUrls)
    const row = await gateway.webhookEndpoints.update(caller, params.id, change)
    return presentEndpoint(row)
  },
})

export const DELETE = operation({
  id: "deleteWebhookEndpoint",
  tag: "Webhooks",
  summary: "Delete a webhook endpoint",
  scope: "webhooks:write",
  parameters,
  answer: enveloped({
    message: "Webhook endpoint deleted",
    data: webhookEndpoint,
    description: "The deleted endpoint.",
    example: EXAMPLE,
  }),
  codes: ["WEBHOOK_NOT_FOUND"],
  run: async ({ gateway, caller, params }) => presentEndpoint(await gateway.webhookEndpoints.remove(caller, params.id)),
})
