import { z } from "@medusajs/framework/zod"
import type { ClockMove } from "../../../../../modules/gateway/worker/sandbox-clock"
import type { JsonObject } from "../../../../v2-kit/body"
import { parse, wholeNumber, withoutAbsent, INSTANT } from "../../../../v2-kit/validate"

export const moveSchema = z.object({
  advance_seconds: wholeNumber.optional(),
  now: z.iso.datetime({ offset: true, error: INSTANT }).optional(),
})

export function readMove(body: JsonObject): ClockMove {
  const { advance_seconds, now } = parse(moveSchema, withoutAbsent(body, []))
  return { advance_seconds, now: now === undefined ? undefined : new Date(now) }
}
