import { z } from "@medusajs/framework/zod"
import { translate } from "../../../../../i18n/translate"
import { ALL_EVENTS, EVENT_TYPES, type Subscribed } from "../../../../../modules/gateway/kernel/database/events"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import type { WebhookEndpoint } from "../../../../../modules/gateway/webhooks/endpoints"
import type { JsonObject } from "../../../../v2-kit/body"
import { choicesOf } from "../../../../v2-kit/lists"
import { arrayOf, moment, oneOf, truth, uuid, whole } from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
import { parseWithUrls } from "../../../../v2-kit/refusals"
import { anyText, flag, rule, withoutAbsent } from "../../../../v2-kit/validate"

const members = () => ({
  id: whole("The endpoint."),
  uuid: uuid("The same endpoint by its uuid."),
  endpoint_url: z.url().describe("Where events are delivered."),
  event_types: arrayOf(z.enum([...EVENT_TYPES, ALL_EVENTS]), "Which events; `*` is all of them."),
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

const ENDPOINT = { endpoint_url: LIMITS.urlMaxChars }

export const endpointSchema = z.object({
  /** Every rule of a URL answers INVALID_CALLBACK_URL and is applied below. */
  endpoint_url: anyText,
  event_types: choicesOf(z.enum([...EVENT_TYPES, ALL_EVENTS], rule("event_or_all")), {
    min: 1,
    few: rule("some_event"),
  }).transform((types): Subscribed[] => (types.includes(ALL_EVENTS) ? [ALL_EVENTS] : [...new Set(types)])),
  signature_format: z.enum(["hex", "prefixed"], rule("either", { values: "hex", last: "prefixed" })).optional(),
})

export const changeSchema = endpointSchema.partial().extend({ is_active: flag.optional() })

/** A refused URL is 400 INVALID_CALLBACK_URL with field endpoint_url (decisions: Webhooks). */
export function readEndpoint(body: JsonObject, allowPrivate: boolean): z.output<typeof endpointSchema> {
  return parseWithUrls(endpointSchema, withoutAbsent(body, []), ENDPOINT, allowPrivate)
}

export function readEndpointChange(body: JsonObject, allowPrivate: boolean): z.output<typeof changeSchema> {
  return parseWithUrls(changeSchema, withoutAbsent(body, []), ENDPOINT, allowPrivate)
}

/** An endpoint without its secret (decisions: Webhooks). */
export function presentEndpoint(row: WebhookEndpoint) {
  return {
    id: row.number,
    uuid: row.uuid,
    endpoint_url: row.endpoint_url,
    event_types: row.event_types,
    signature_format: row.signature_format,
    is_active: row.is_active,
    disabled_reason: row.disabled_reason && translate(row.disabled_reason),
    created_at: row.created_at.toISOString(),
  }
}

export const parameters = { id: { description: "The endpoint, by its `id` or its `uuid`.", example: "1001" } }

export const NOTES = {
  endpoint_url: {
    format: "uri",
    maxLength: 2048,
    description: "Where events are to be delivered: `https`, on a public host.",
  },
  event_types: "Which events; `*` is all of them.",
  signature_format: "How x-webhook-signature is written: bare hexadecimal, or with `sha256=` before it.",
}

export const EXAMPLE = {
  id: 1001,
  uuid: "9c1f7e52-1a0b-4c3d-8e5f-6a7b8c9d0e1f",
  endpoint_url: "https://shop.example.com/webhooks",
  event_types: ["payment.succeeded", "refund.completed"],
  signature_format: "hex",
  is_active: true,
  disabled_reason: null,
  created_at: "2027-03-01T10:00:00.000Z",
}

export const WITH_SECRET = { ...EXAMPLE, secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=" }

export const EXAMPLE_IPN_SECRET = { secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=" }
