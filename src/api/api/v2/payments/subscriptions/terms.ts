import { z } from "@medusajs/framework/zod"
import { INTERVAL_UNITS } from "../../../../../modules/gateway/kernel/money/calendar"
import { messageOf } from "../../../../../i18n/message"
import { type FieldFailure, fault } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import type { EndChange } from "../../../../../modules/gateway/subscriptions/end-rules"
import type { NewTerms } from "../../../../../modules/gateway/subscriptions/lifecycle"
import { presentQuantity } from "../../../../../modules/gateway/subscriptions/quantity-rules"
import type { JsonObject } from "../../../../v2-kit/body"
import { moment, money, oneOf, whole } from "../../../../v2-kit/openapi/fields"
import { amount, coded, rule, wholeNumber } from "../../../../v2-kit/validate"

export const quantityMembers = () => ({
  quantity: whole("How many it is of; absent: one.").optional(),
  unit_amount: money(
    "What one of them costs; `amount` is the whole. Absent: there is one, or it is of goods."
  ).optional(),
})

export const termsMembers = () => ({
  subscription_plan_id: z.int().nullable().describe("The plan; null: terms without one."),
  amount: money("What a period costs then."),
  ...quantityMembers(),
  billing_cycles: whole("After so many paid periods it ends then, counted from there. Absent: no such end.").optional(),
  interval_count: whole("How many units a period has then."),
  interval_unit: oneOf(INTERVAL_UNITS, "The unit."),
})

export const quantity = wholeNumber
  .min(1, rule("positive"))
  .max(LIMITS.quantityMax, rule("max", { max: LIMITS.quantityMax }))
/** The price of one; what it is times the quantity has the limits of an amount. */
export const unitAmount = amount
  .refine((minor) => minor > 0n, rule("positive"))
  .refine(
    (minor) => minor <= LIMITS.orderAmountMaxMinor,
    coded("AMOUNT_TOO_HIGH", rule("max", { max: formatAmount(LIMITS.orderAmountMaxMinor) }))
  )

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

/** An end of the subscription's own stays, whatever the plan's is. */
export function presentTerms({ plan_number, interval_count, interval_unit, ...terms }: NewTerms, hasOwnEnd: boolean) {
  const { amount_minor, billing_cycles = null, store_variant_id } = terms
  const amount = formatAmount(amount_minor)
  const end = billing_cycles === null || hasOwnEnd ? {} : { billing_cycles }
  const quantity = presentQuantity({ ...terms, source: store_variant_id === undefined ? "api" : "store" })
  return { subscription_plan_id: plan_number, amount, ...quantity, ...end, interval_count, interval_unit }
}

export const TERMS = {
  amount: "What a period costs, whole: 10.00 to 500000.00. Not beside a `quantity` above 1 or `unit_amount`.",
  unit_amount: "What one costs. Times the quantity it is the `amount`, 10.00 to 500000.00.",
  quantity: "How many, such as seats: 1 to 10000.",
  interval_count: "How many units a period has.",
  interval_unit: "The unit.",
  billing_cycles:
    "It ends after so many paid periods, 1 to 1000; a trial is none of them. 0: it has no end. Not together with `ends_at`.",
  ends_at: "No period begins at this time or later: the one that contains it is the last, charged whole. ISO 8601.",
  meta_data: "Anything of yours, up to 16 KiB of JSON; it replaces what was there.",
}
