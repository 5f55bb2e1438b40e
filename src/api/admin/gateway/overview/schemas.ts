import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../i18n/message"
import { fault, validationError } from "../../../../modules/gateway/kernel/errors"
import { dayNumber, dayOfDate } from "../../../../modules/gateway/kernel/counter-rules"
import type { Period } from "../../../../modules/gateway/reporting/overview"
import type { JsonObject } from "../../../v2-kit/body"
import { date, parse, withoutAbsent, rule } from "../../../v2-kit/validate"

const DAYS_DEFAULT = 30
const DAYS_MAX = 366

const WRONG_DAYS = rule("whole_number_within", { min: 1, max: DAYS_MAX })
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
    throw validationError([fault("from", messageOf("rule.not_after", { field: "to" }))])
  }
  if (last - first >= DAYS_MAX) {
    throw validationError([fault("from", messageOf("rule.days_before", { days: DAYS_MAX, field: "to" }))])
  }
  return { first, last }
}
