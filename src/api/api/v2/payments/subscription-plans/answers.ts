import { z } from "@medusajs/framework/zod"
import { INTERVAL_UNITS } from "../../../../../modules/gateway/kernel/calendar"
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
})

export const planLine = named("PlanSummary", () => z.object(lineMembers()).describe("A plan as lists show it."))

export const plan = named("Plan", () =>
  z.object({
    ...lineMembers(),
    plan_description: words("More about it; empty without any."),
    meta_data: anyObject("Anything of yours."),
  })
)
