import { z } from "@medusajs/framework/zod"
import { refusalOfUrl } from "../../../../../modules/gateway/kernel/callback-url"
import { fault, validationError } from "../../../../../modules/gateway/kernel/errors"
import { ALL_EVENTS, EVENT_TYPES } from "../../../../../modules/gateway/kernel/events"
import type { JsonObject } from "../../../../v2-kit/body"
import { atLeast, flag, parse, required, rule, text, withoutAbsent } from "../../../../v2-kit/validate"

const URL_MAX_CHARS = 2_048

export const endpointSchema = z.object({
  endpoint_url: text(4_096),
  event_types: z
    .array(z.enum([...EVENT_TYPES, ALL_EVENTS], rule("event_or_all")), required(rule("list")))
    .refine(atLeast(1), rule("some_event"))
    .transform((types) => (types.includes(ALL_EVENTS) ? [ALL_EVENTS] : [...new Set(types)])),
  signature_format: z.enum(["hex", "prefixed"], rule("either", { values: "hex", last: "prefixed" })).optional(),
})

export const changeSchema = endpointSchema.partial().extend({ is_active: flag.optional() })

/** A refused URL is 400 INVALID_CALLBACK_URL with field endpoint_url (decisions: Webhooks). */
export function readEndpoint(body: JsonObject, allowPrivate: boolean): z.output<typeof endpointSchema> {
  const input = parse(endpointSchema, withoutAbsent(body, []))
  requireReachable(input.endpoint_url, "endpoint_url", allowPrivate)
  return input
}

export function readEndpointChange(body: JsonObject, allowPrivate: boolean): z.output<typeof changeSchema> {
  const input = parse(changeSchema, withoutAbsent(body, []))
  if (input.endpoint_url !== undefined) {
    requireReachable(input.endpoint_url, "endpoint_url", allowPrivate)
  }
  return input
}

export function requireReachable(url: string, field: string, allowPrivate: boolean): void {
  const refusal = refusalOfUrl(url, { allowPrivate, maxChars: URL_MAX_CHARS })
  if (refusal !== null) {
    throw validationError([fault(field, refusal, "INVALID_CALLBACK_URL")])
  }
}
