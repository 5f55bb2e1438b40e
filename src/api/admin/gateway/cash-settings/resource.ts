import { z } from "@medusajs/framework/zod"
import {
  ADVANCES,
  NOTED_ADVANCE_BASIS_POINTS,
  type AdvanceRule,
  type CashSettings,
} from "../../../../modules/gateway/cash/rules"
import { LIMITS } from "../../../../modules/gateway/kernel/limits"
import { formatAmount } from "../../../../modules/gateway/kernel/money/money"
import { one } from "../../../admin-kit/list"
import type { JsonObject } from "../../../v2-kit/body"
import { listOf } from "../../../v2-kit/lists"
import { amount, flag, parse, rule, text, wholeNumber, withoutAbsent } from "../../../v2-kit/validate"

const RULES_MAX = 20
const DISTRICTS_MAX = 64
const COUNT_MAX = 1_000
const DAYS_MAX = 90

const minor = amount
  .refine(
    (value) => value <= LIMITS.orderAmountMaxMinor,
    rule("max", { max: formatAmount(LIMITS.orderAmountMaxMinor) })
  )
  .transform(Number)
const within = (min: number, max: number) =>
  wholeNumber.refine((value) => value >= min && value <= max, rule("whole_number_within", { min, max }))
const count = within(0, COUNT_MAX).optional()

const advanceRule = z
  .object({
    advance: one(ADVANCES),
    amount: minor.optional(),
    percent: amount
      .refine((points) => points <= 10_000n, rule("percent", { min: 0, max: 100 }))
      .transform(Number)
      .optional(),
    districts: listOf(text(100), { min: 1, max: DISTRICTS_MAX }).optional(),
    total_from: minor.optional(),
    total_to: minor.optional(),
    delivered_from: count,
    delivered_to: count,
    refused_from: count,
  })
  .refine(({ advance, amount: sum }) => advance !== "fixed" || sum !== undefined, {
    path: ["amount"],
    message: rule("required"),
  })
  .refine(({ advance, percent }) => advance !== "percent" || percent !== undefined, {
    path: ["percent"],
    message: rule("required"),
  })

const changeSchema = z.object({
  rules: listOf(advanceRule, { max: RULES_MAX }).optional(),
  late_after_days: within(1, DAYS_MAX).optional(),
  refused_advance: one(["keep", "give_back"]).optional(),
  phone_code: flag.optional(),
})

export function readCashSettings(body: JsonObject): Partial<CashSettings> {
  const { rules, ...rest } = parse(changeSchema, withoutAbsent(body, []))
  return { ...rest, ...(rules === undefined ? {} : { rules: rules.map(toRule) }) }
}

function toRule({
  amount: amount_minor,
  percent: basis_points,
  total_from,
  total_to,
  ...rest
}: z.output<typeof advanceRule>): AdvanceRule {
  return { ...rest, amount_minor, basis_points, total_from_minor: total_from, total_to_minor: total_to }
}

const amountOrNull = (value: number | undefined) => (value === undefined ? null : formatAmount(value))

export function presentCashSettings({ rules, ...settings }: CashSettings) {
  return {
    ...settings,
    noted_advance_percent: formatAmount(NOTED_ADVANCE_BASIS_POINTS),
    rules: rules.map((of) => ({
      advance: of.advance,
      amount: amountOrNull(of.amount_minor),
      percent: amountOrNull(of.basis_points),
      districts: of.districts ?? [],
      total_from: amountOrNull(of.total_from_minor),
      total_to: amountOrNull(of.total_to_minor),
      delivered_from: of.delivered_from ?? null,
      delivered_to: of.delivered_to ?? null,
      refused_from: of.refused_from ?? null,
    })),
  }
}
