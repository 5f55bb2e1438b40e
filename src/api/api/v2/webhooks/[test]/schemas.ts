import { randomUUID } from "node:crypto"
import { z } from "@medusajs/framework/zod"
import { EVENT_TYPES, eventBody, type EventType } from "../../../../../modules/gateway/kernel/events"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import type { Caller } from "../../../../../modules/gateway/kernel/types"
import type { JsonObject } from "../../../../v2-kit/body"
import { parseWithUrls } from "../../../../v2-kit/refusals"
import { anyText, required, withoutAbsent, rule } from "../../../../v2-kit/validate"
import { sampleData } from "./samples"

export const sampleSchema = z.object({
  event: z.enum(EVENT_TYPES, required(rule("one_of", { values: EVENT_TYPES.join(", ") }))),
  url: anyText,
})

export function readSample(body: JsonObject, allowPrivate: boolean): z.output<typeof sampleSchema> {
  return parseWithUrls(sampleSchema, withoutAbsent(body, []), { url: LIMITS.urlMaxChars }, allowPrivate)
}

/** A full body of the event's type with invented ids: it exposes a receiver that believes it without verifying. */
export function sampleEvent(
  event_type: EventType,
  caller: Pick<Caller, "now" | "merchant_number">
): { event_id: string; body: string } {
  const event_id = randomUUID()
  const record = {
    event_id,
    event_type,
    occurred_at: caller.now,
    merchant_number: caller.merchant_number,
    data: sampleData(event_type, caller.now),
  }
  return { event_id, body: JSON.stringify(eventBody(record)) }
}
