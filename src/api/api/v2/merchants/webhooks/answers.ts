import { z } from "@medusajs/framework/zod"
import { ALL_EVENTS, EVENT_TYPES } from "../../../../../modules/gateway/kernel/events"
import { moment, oneOf, truth, uuid, whole } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"

const members = () => ({
  id: whole("The endpoint."),
  uuid: uuid("The same endpoint by its uuid."),
  endpoint_url: z.url().describe("Where events are delivered."),
  event_types: z.array(z.enum([...EVENT_TYPES, ALL_EVENTS])).describe("Which events; `*` is all of them."),
  signature_format: oneOf(
    ["hex", "prefixed"],
    "How x-webhook-signature is written: bare, or with `sha256=` before it."
  ),
  is_active: truth("Whether it receives anything."),
  disabled_reason: z.string().nullable().describe("Why the gateway switched it off; null: it did not."),
  created_at: moment("When it was registered."),
})

const secret = () =>
  z
    .string()
    .regex(/^whsec_/)
    .describe("What signs its deliveries. Only this answer shows it.")

export const webhookEndpoint = named("WebhookEndpoint", () => z.object(members()))

export const webhookEndpointWithSecret = named("WebhookEndpointWithSecret", () =>
  z.object({ ...members(), secret: secret() })
)

export const ipnSecret = named("IpnSecret", () =>
  z.object({
    secret: z
      .string()
      .regex(/^whsec_/)
      .describe("What signs the notifications to `ipn_url`."),
  })
)
