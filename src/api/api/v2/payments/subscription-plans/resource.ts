import { z } from "@medusajs/framework/zod"
import { messageOf } from "../../../../../i18n/message"
import { INTERVAL_UNITS } from "../../../../../modules/gateway/kernel/money/calendar"
import { type ErrorCode, fault, validationError } from "../../../../../modules/gateway/kernel/errors"
import { LIMITS } from "../../../../../modules/gateway/kernel/limits"
import { type Minor, formatAmount } from "../../../../../modules/gateway/kernel/money/money"
import type { Caller } from "../../../../../modules/gateway/kernel/types"
import type { NewPlan, Plan, PlanChange } from "../../../../../modules/gateway/plans/service"
import type { JsonObject } from "../../../../v2-kit/body"
import { described } from "../../../../v2-kit/described"
import {
  anyObject,
  currencyCode,
  moment,
  money,
  oneOf,
  truth,
  uuid,
  whole,
  words,
} from "../../../../v2-kit/openapi/fields"
import { named } from "../../../../v2-kit/openapi/named"
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

const lineMembers = () => ({
  id: whole("The plan."),
  uuid: uuid("The same plan by its uuid."),
  merchant_id: whole("Your merchant number."),
  plan_name: words("Its name; customers see it."),
  amount: money("What a period costs."),
  currency: currencyCode(),
  interval_count: whole("How many units a period has."),
  interval_unit: oneOf(INTERVAL_UNITS, "The unit."),
  trial_period_days: z.int().nullable().describe("How long the trial is; null: there is none."),
  trial_amount: money("What the trial costs; null: nothing.").nullable(),
  is_active: truth("False once it is archived: nobody new can subscribe to it."),
  created_at: moment("When it was made."),
  family: words("Customers may switch between plans of one family. Absent: to no other plan.").optional(),
  billing_cycles: whole("After so many paid periods a subscription to it ends. Absent: it goes on.").optional(),
})

export const planLine = named("PlanSummary", () => z.object(lineMembers()).describe("A plan as lists show it."))

export const plan = named("Plan", () =>
  z.object({
    ...lineMembers(),
    plan_description: words("More about it; empty without any."),
    meta_data: anyObject("Anything of yours."),
  })
)

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

const CYCLES = { min: 0, max: LIMITS.billingCyclesMax }
/** 0 means that it goes on: null is as good as absent. */
const orEndless = (cycles: number) => (cycles === 0 ? null : cycles)
export const billingCycles = wholeNumber
  .min(CYCLES.min, rule("within", CYCLES))
  .max(CYCLES.max, rule("within", CYCLES))
  .transform(described(orEndless, { type: "integer", minimum: CYCLES.min, maximum: CYCLES.max }))

export const planSchema = z.object({
  plan_name: text(LIMITS.planNameMaxChars).refine((value) => value.trim() !== "", rule("not_blank")),
  plan_description: text(LIMITS.descriptionMaxChars).optional(),
  family: text(LIMITS.planNameMaxChars)
    .transform(described((name: string) => (name.trim() === "" ? null : name.trim()), { type: "string" }))
    .optional(),
  amount: recurringAmount,
  currency: currency.optional(),
  interval_count: intervalCount,
  interval_unit: intervalUnit,
  trial_period_days: trialDays.optional(),
  trial_amount: trialAmount.optional(),
  billing_cycles: billingCycles.optional(),
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

/**
 * A plan in a list (contract 4.5: without plan_description and meta_data), with what stands beside the contract where it
 * is set (docs/decisions/11).
 */
export function presentPlanLine(plan: Plan, caller: Pick<Caller, "merchant_number">) {
  const { family, billing_cycles } = plan
  return {
    id: plan.number,
    uuid: plan.uuid,
    merchant_id: caller.merchant_number,
    plan_name: plan.plan_name,
    amount: formatAmount(plan.amount_minor),
    currency: plan.currency,
    interval_count: plan.interval_count,
    interval_unit: plan.interval_unit,
    trial_period_days: plan.trial_period_days,
    trial_amount: plan.trial_amount_minor === null ? null : formatAmount(plan.trial_amount_minor),
    is_active: plan.is_active,
    created_at: plan.opened_at.toISOString(),
    ...(family === null ? {} : { family }),
    ...(billing_cycles === null ? {} : { billing_cycles }),
  }
}

/** The whole plan (contract 2.9). */
export function presentPlan(plan: Plan, caller: Pick<Caller, "merchant_number">) {
  const { plan_description, meta_data } = plan
  return { ...presentPlanLine(plan, caller), plan_description: plan_description ?? "", meta_data }
}

export const CHANGEABLE = {
  plan_name: "Its name; customers see it.",
  plan_description: "More about it.",
  family: "Plans with the same word here are a family: customers may switch between them. Empty: to no other plan.",
  amount: "What a period costs: 10.00 to 500000.00.",
  trial_period_days: "How long a new subscription is tried before it is charged; 0 or nothing: no trial.",
  trial_amount: "What the trial costs; 0 or nothing: it is free.",
  billing_cycles:
    "After so many paid periods a subscription to it ends: 1 to 1000. A trial is none of them. 0 or nothing: it goes on.",
  meta_data: "Anything of yours, up to 16 KiB of JSON.",
}

export const LINE = {
  id: 1001,
  uuid: "7b0c2c1e-6f3a-4f58-9a55-0d2f6c8e9b11",
  merchant_id: 1,
  plan_name: "Tea club",
  amount: "1250.50",
  currency: "BDT",
  interval_count: 1,
  interval_unit: "MONTH",
  trial_period_days: 14,
  trial_amount: null,
  is_active: true,
  created_at: "2027-03-01T10:00:00.000Z",
}

export const EXAMPLE = {
  ...LINE,
  plan_description: "A parcel of tea every month",
  family: "tea",
  meta_data: { catalogue: "2027" },
}

export const REFUSED: readonly ErrorCode[] = ["AMOUNT_TOO_LOW", "AMOUNT_TOO_HIGH", "MISSING_REQUIRED_FIELD"]
