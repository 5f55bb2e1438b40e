import { z } from "@medusajs/framework/zod"
import { type ErrorCode, validationError } from "../../../../../../../modules/gateway/kernel/errors"
import { formatAmount } from "../../../../../../../modules/gateway/kernel/money/money"
import { BEGINNINGS, PRORATIONS } from "../../../../../../../modules/gateway/subscriptions/change-rules"
import type { WantedChange } from "../../../../../../../modules/gateway/subscriptions/asked-terms"
import type { ChangePreview } from "../../../../../../../modules/gateway/subscriptions/changes"
import { faultsOfPrice } from "../../../../../../../modules/gateway/subscriptions/quantity-rules"
import type { JsonObject } from "../../../../../../v2-kit/body"
import { arrayOf, moment, money, oneOf, whole } from "../../../../../../v2-kit/openapi/fields"
import { named } from "../../../../../../v2-kit/openapi/named"
import { amountOfAnySize, parse, required, rule, withoutAbsent } from "../../../../../../v2-kit/validate"
import { AMOUNT, REFUSED, subscriptionSchema } from "../../resource"
import { TERMS, presentTerms, termsMembers } from "../../terms"

const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, required(rule("one_of", { values: values.join(", ") })))

const schema = subscriptionSchema
  .pick({
    subscription_plan_id: true,
    amount: true,
    unit_amount: true,
    quantity: true,
    interval_count: true,
    interval_unit: true,
  })
  .extend({
    when: choice(BEGINNINGS),
    proration: choice(PRORATIONS).optional(),
    amount_due: amountOfAnySize.optional(),
  })

/** The body of a change, of its preview too. */
export const CHANGE = {
  name: "SubscriptionSwitch",
  schema,
  notes: {
    subscription_plan_id: "The plan to switch to, with its amount and interval. What else you send replaces those.",
    amount: TERMS.amount,
    unit_amount: TERMS.unit_amount,
    quantity: `${TERMS.quantity} A switch of plan keeps it when it is omitted.`,
    interval_count: TERMS.interval_count,
    interval_unit: TERMS.interval_unit,
    when: "`now`, or `period_end`: with the next period.",
    proration:
      "`credit`, which it also is when omitted: the unused days of the paid period are taken off what is due. `none`: nothing is due now, and the next period has the new price.",
    amount_due: "What the preview has shown as due: when it is another sum by now, nothing is changed.",
  },
  example: { subscription_plan_id: 1002, when: "now" },
} as const

export function readChange(body: JsonObject): WantedChange {
  const input = parse(schema, withoutAbsent(body, []))
  const failures = faultsOfPrice(input)
  if (failures.length > 0) {
    throw validationError(failures)
  }
  return {
    plan_id: input.subscription_plan_id === undefined ? null : String(input.subscription_plan_id),
    amount: input.amount ?? null,
    unit_amount: input.unit_amount ?? null,
    quantity: input.quantity ?? null,
    interval_count: input.interval_count ?? null,
    interval_unit: input.interval_unit ?? null,
    when: input.when,
    proration: input.proration ?? "credit",
    shown_due: input.amount_due,
  }
}

export const CHANGE_CODES: readonly ErrorCode[] = [
  ...REFUSED,
  ...AMOUNT,
  "MISSING_REQUIRED_FIELD",
  "PLAN_NOT_FOUND",
  "PLAN_INACTIVE",
]

const line = named("ChangeLine", () =>
  z
    .object({
      kind: oneOf(["period", "credit"], "`period`: what a period costs. `credit`: what an earlier one leaves over."),
      plan_name: z.string().nullable().describe("The plan of the period; null: it had none."),
      quantity: whole("How many the period is of; absent: one.").optional(),
      amount: money("The amount; negative: it is taken off."),
      period_start: moment("The first of the days that are counted."),
      period_end: moment("When they end."),
    })
    .describe("A line of an invoice.")
)

export const changePreview = named("SubscriptionChangePreview", () =>
  z.object({
    begins_at: moment("When the new terms begin."),
    new_terms: z.object(termsMembers()).describe("The new terms."),
    amount_due: money("What is charged at once; 0.00: nothing."),
    lines: arrayOf(line(), "What it is made of; empty where nothing is due at once."),
    credit_left: money("What remains for later periods. Negative: less than can be charged is still owed."),
    next_billing_date: moment(
      "When the next charge follows; null: when the first payment is made, or none follows."
    ).nullable(),
    next_amount: money("What that one is."),
  })
)

export function presentPreview(preview: ChangePreview) {
  return {
    begins_at: preview.begins_at.toISOString(),
    new_terms: presentTerms(preview.terms, preview.has_own_end),
    amount_due: formatAmount(preview.amount_due),
    lines: preview.lines.map(({ kind, plan_name, quantity, amount_minor, start, end }) => ({
      kind,
      plan_name,
      ...(quantity === undefined ? {} : { quantity }),
      amount: formatAmount(amount_minor),
      period_start: start,
      period_end: end,
    })),
    credit_left: formatAmount(preview.credit_left),
    next_billing_date: preview.next_billing_date?.toISOString() ?? null,
    next_amount: formatAmount(preview.next_amount),
  }
}

export const PREVIEW_EXAMPLE = {
  begins_at: "2027-03-16T10:00:00.000Z",
  new_terms: { subscription_plan_id: 1002, amount: "2500.00", interval_count: 1, interval_unit: "MONTH" },
  amount_due: "645.16",
  lines: [
    {
      kind: "period",
      plan_name: "Tea club, two parcels",
      amount: "1290.32",
      period_start: "2027-03-16T10:00:00.000Z",
      period_end: "2027-04-01T10:00:00.000Z",
    },
    {
      kind: "credit",
      plan_name: "Tea club",
      amount: "-645.16",
      period_start: "2027-03-16T10:00:00.000Z",
      period_end: "2027-04-01T10:00:00.000Z",
    },
  ],
  credit_left: "0.00",
  next_billing_date: "2027-04-01T10:00:00.000Z",
  next_amount: "2500.00",
}
