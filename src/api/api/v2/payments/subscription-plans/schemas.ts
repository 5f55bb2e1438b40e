import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../i18n/message"
import { INTERVAL_UNITS } from "../../../../../modules/gateway/kernel/calendar"
import { fault, validationError } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import type { Minor } from "../../../../../modules/gateway/kernel/money"
import type { NewPlan, PlanChange } from "../../../../../modules/gateway/plans/service"
import type { JsonObject } from "../../../../v2-kit/body"
import { described } from "../../../../v2-kit/described"
import {
  AMOUNT,
  amountOfAnySize,
  check,
  currency,
  freeForm,
  inRecurringRange,
  parse,
  queryFlag,
  recurringAmount,
  required,
  rule,
  text,
  wholeNumber,
  withoutAbsent,
} from "../../../../v2-kit/validate"

const INTERVAL_COUNT = rule("within", { min: 1, max: LIMITS.intervalCountMax })
export const intervalCount = wholeNumber.min(1, INTERVAL_COUNT).max(LIMITS.intervalCountMax, INTERVAL_COUNT)

export const intervalUnit = z.enum(INTERVAL_UNITS, required(rule("one_of", { values: INTERVAL_UNITS.join(", ") })))

/** 0 days mean no trial (contract 2.9). */
export const trialDays = wholeNumber
  .min(0, rule("not_negative"))
  .max(LIMITS.trialDaysMax, rule("max", { max: LIMITS.trialDaysMax }))

/** 0 means no amount: the trial is free. */
const orFree = (minor: Minor) => (minor === 0n ? null : minor)
const trialAmount = inRecurringRange(amountOfAnySize.transform(described(orFree, AMOUNT)))

export const planSchema = z.object({
  plan_name: text(LIMITS.planNameMaxChars).refine((value) => value.trim() !== "", rule("not_blank")),
  plan_description: text(LIMITS.descriptionMaxChars).optional(),
  amount: recurringAmount,
  currency: currency.optional(),
  interval_count: intervalCount,
  interval_unit: intervalUnit,
  trial_period_days: trialDays.optional(),
  trial_amount: trialAmount.optional(),
  meta_data: freeForm(LIMITS.metadataMaxBytes).optional(),
})

export const changeSchema = planSchema.omit({ currency: true, interval_count: true, interval_unit: true }).partial()

const FIXED = ["interval_count", "interval_unit", "currency"] as const

export function readPlan(body: JsonObject): NewPlan {
  const input = parse(planSchema, withoutAbsent(body, ["meta_data"]))
  return {
    ...input,
    plan_description: input.plan_description ?? null,
    currency: input.currency ?? "BDT",
    trial_period_days: input.trial_period_days ?? null,
    trial_amount: input.trial_amount ?? null,
    meta_data: input.meta_data ?? {},
  }
}

/** Interval and currency are fixed: 422 with the field, like every other failure (decisions: Plans). */
export function readPlanChange(body: JsonObject): PlanChange {
  const present = withoutAbsent(body, ["meta_data"])
  const fixed = FIXED.filter((field) => field in present).map((field) => fault(field, messageOf("rule.fixed")))
  const checked = check(changeSchema, present)
  const failures = [...checked.failures, ...fixed]
  if (checked.value === null || failures.length > 0) {
    throw validationError(failures)
  }
  return checked.value
}

export const filterSchema = z.object({ include_inactive: queryFlag.default(false) })
