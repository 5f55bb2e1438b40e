import { z } from "@medusajs/framework/zod"
import { validationError } from "../../../../modules/gateway/kernel/errors"
import { dayNumber, dayOfDate } from "../../../../modules/gateway/kernel/counter-rules"
import type { Period } from "../../../../modules/gateway/reporting/overview"
import type { JsonObject } from "../../../v2-kit/body"
import { date, parse, withoutAbsent } from "../../../v2-kit/validate"

const DAYS_DEFAULT = 30
const DAYS_MAX = 366

const WRONG_DAYS = `must be a whole number from 1 to ${DAYS_MAX}`
const schema = z.object({
  from: date.optional(),
  to: date.optional(),
  days: z
    .string()
    .regex(/^[0-9]{1,3}$/, WRONG_DAYS)
    .transform(Number)
    .refine((days) => days >= 1 && days <= DAYS_MAX, WRONG_DAYS)
    .default(DAYS_DEFAULT),
})

/**
 * Days in Bangladesh time, both inclusive. Without `from`: the given number of `days` up to `to`; without `to`: up to
 * today. Errors: VALIDATION_ERROR.
 */
export function readPeriod(query: JsonObject, now: Date): Period {
  const { from, to, days } = parse(schema, withoutAbsent(query, []))
  const last = to === undefined ? dayNumber(now) : dayOfDate(to)
  const first = from === undefined ? last - days + 1 : dayOfDate(from)
  if (first > last) {
    throw validationError([{ field: "from", code: "VALIDATION_ERROR", message: "from must not be after to" }])
  }
  if (last - first >= DAYS_MAX) {
    const message = `from must be at most ${DAYS_MAX} days before to; ask for a longer time in parts`
    throw validationError([{ field: "from", code: "VALIDATION_ERROR", message }])
  }
  return { first, last }
}
