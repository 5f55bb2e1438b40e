import { z } from "@medusajs/framework/zod"
import { ALL_EVENTS, EVENT_TYPES } from "../../../../../modules/gateway/kernel/events"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import type { JsonObject } from "../../../../v2-kit/body"
import { choicesOf } from "../../../../v2-kit/lists"
import { parseWithUrls } from "../../../../v2-kit/refusals"
import { anyText, flag, rule, withoutAbsent } from "../../../../v2-kit/validate"

const ENDPOINT = { endpoint_url: LIMITS.urlMaxChars }

export const endpointSchema = z.object({
  /** Every rule of a URL answers INVALID_CALLBACK_URL and is applied below. */
  endpoint_url: anyText,
  event_types: choicesOf(z.enum([...EVENT_TYPES, ALL_EVENTS], rule("event_or_all")), {
    min: 1,
    few: rule("some_event"),
  }).transform((types) => (types.includes(ALL_EVENTS) ? [ALL_EVENTS] : [...new Set(types)])),
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
