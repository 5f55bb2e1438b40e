import { operation } from "../../../../v2-kit/operation"
import { readList } from "../../../../v2-kit/lists"
import {
  CHANGEABLE,
  EXAMPLE,
  LINE,
  REFUSED,
  filterSchema,
  plan,
  planLine,
  planSchema,
  presentPlan,
  presentPlanLine,
  readPlan,
} from "./resource"
import { bare, listed } from "../../../../v2-kit/answers"

/** Creates a plan (contract 4.5). */
export const POST = operation({
  id: "createPlan",
  tag: "Plans",
  summary: "Create a plan",
  description: "What can be subscribed to: an amount, how often it is charged, and the trial before the first charge.",
  scope: "subscriptions:write",
  service: "subscriptions",
  body: {
    name: "NewPlan",
    schema: planSchema,
    notes: {
      ...CHANGEABLE,
      currency: "BDT, which it also is when omitted.",
      interval_count: "How many units a period has.",
      interval_unit: "The unit. With an interval_count of 2, `WEEK` charges every two weeks.",
    },
    example: {
      plan_name: "Tea club",
      plan_description: "A parcel of tea every month",
      amount: "1250.50",
      interval_count: 1,
      interval_unit: "MONTH",
      trial_period_days: 14,
      meta_data: { catalogue: "2027" },
    },
  },
  answer: bare({ data: plan, status: 201, description: "The new plan.", example: EXAMPLE }),
  codes: [...REFUSED, "INVALID_CURRENCY"],
  run: async ({ gateway, caller, body, claim }) => {
    const plan = await gateway.plans.create(caller, readPlan(body), claim?.id)
    return presentPlan(plan, caller)
  },
})

export const GET = operation({
  id: "listPlans",
  tag: "Plans",
  summary: "List plans",
  description: "Newest first.",
  scope: "subscriptions:read",
  service: "subscriptions",
  query: {
    schema: filterSchema,
    notes: { include_inactive: "Whether archived plans are listed too." },
    paging: "per_page",
  },
  answer: listed({ message: "Plans", item: planLine, description: "A page of plans.", example: LINE }),
  run: async ({ gateway, caller, query }) => {
    const { filter, page } = readList(query, filterSchema)
    const { rows, total } = await gateway.plans.list(caller, filter, page)
    return { rows: rows.map((plan) => presentPlanLine(plan, caller)), total, page }
  },
})
