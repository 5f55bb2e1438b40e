import { messageOf } from "../../../../../i18n/message"
import { type FieldFailure, fault } from "../../../../../modules/gateway/kernel/errors"
import type { EndChange } from "../../../../../modules/gateway/subscriptions/end-rules"
import type { JsonObject } from "../../../../v2-kit/body"
import { moment, whole } from "../../../../v2-kit/openapi/fields"

/** The members of an end, in answers. */
export const endAnswer = () => ({
  billing_cycles: whole("After so many paid periods it ends. Absent: it does not end so.").optional(),
  billing_cycles_paid: whole("How many of them are paid.").optional(),
  ends_at: moment("No period begins then or later. Absent: it does not end so.").optional(),
  last_period_end: moment("When its last period ends, if nothing changes. Absent: not known, or no end.").optional(),
})

/** What a request says of the end; no cycles take any end away. */
export function endOf({ billing_cycles, ends_at }: EndChange): EndChange {
  return billing_cycles === null ? { billing_cycles, ends_at: null } : { billing_cycles, ends_at }
}

/** A subscription ends after a number of periods or at a time, never both. */
export function twoEnds(present: JsonObject): FieldFailure[] {
  const given = (["billing_cycles", "ends_at"] as const).filter((field) => field in present)
  const other = { billing_cycles: "ends_at", ends_at: "billing_cycles" }
  return given.length < 2 ? [] : given.map((field) => fault(field, messageOf("rule.not_with", { field: other[field] })))
}
