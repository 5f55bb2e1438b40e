import type { ErrorCode } from "../../../../../modules/gateway/kernel/errors"
import { listOf } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { plan, planLine } from "./answers"
import { changeSchema, filterSchema, planSchema } from "./schemas"

const tag = "Plans"

const CHANGEABLE = {
  plan_name: "Its name; customers see it.",
  plan_description: "More about it.",
  amount: "What a period costs: 10.00 to 500000.00.",
  trial_period_days: "How long a new subscription is tried before it is charged; 0 or nothing: no trial.",
  trial_amount: "What the trial costs; 0 or nothing: it is free.",
  meta_data: "Anything of yours, up to 16 KiB of JSON.",
}

const LINE = {
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
const EXAMPLE = { ...LINE, plan_description: "A parcel of tea every month", meta_data: { catalogue: "2027" } }

const REFUSED: readonly ErrorCode[] = ["AMOUNT_TOO_LOW", "AMOUNT_TOO_HIGH", "MISSING_REQUIRED_FIELD"]

export const operations: readonly Documented[] = [
  {
    method: "POST",
    path: "/payments/subscription-plans",
    id: "createPlan",
    tag,
    summary: "Create a plan",
    description:
      "What can be subscribed to: an amount, how often it is charged, and the trial before the first charge.",
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
    answer: { status: 201, description: "The new plan.", schema: plan, example: EXAMPLE },
    codes: [...REFUSED, "INVALID_CURRENCY"],
  },
  {
    method: "GET",
    path: "/payments/subscription-plans",
    id: "listPlans",
    tag,
    summary: "List plans",
    description: "Newest first.",
    query: {
      schema: filterSchema,
      notes: { include_inactive: "Whether archived plans are listed too." },
      paging: "per_page",
    },
    answer: {
      description: "A page of plans.",
      schema: () => listOf(planLine()),
      example: { success: true, message: "Plans", data: [LINE], meta: { total: 1, page: 1, per_page: 20 } },
    },
  },
  {
    method: "GET",
    path: "/payments/subscription-plans/{plan_id}",
    id: "getPlan",
    tag,
    summary: "Get a plan",
    answer: { description: "The plan.", schema: plan, example: EXAMPLE },
    codes: ["PLAN_NOT_FOUND"],
  },
  {
    method: "PATCH",
    path: "/payments/subscription-plans/{plan_id}",
    id: "updatePlan",
    tag,
    summary: "Change a plan",
    description: "For new subscriptions; existing ones stay as they are. Interval and currency cannot be changed.",
    body: { name: "PlanChange", schema: changeSchema, notes: CHANGEABLE, example: { amount: "1400.00" } },
    answer: { description: "The changed plan.", schema: plan, example: { ...EXAMPLE, amount: "1400.00" } },
    codes: [...REFUSED, "PLAN_NOT_FOUND"],
  },
  {
    method: "DELETE",
    path: "/payments/subscription-plans/{plan_id}",
    id: "archivePlan",
    tag,
    summary: "Archive a plan",
    description: "Nobody new can subscribe to it. Existing subscriptions go on.",
    answer: { description: "The archived plan.", schema: plan, example: { ...EXAMPLE, is_active: false } },
    codes: ["PLAN_NOT_FOUND"],
  },
  {
    method: "POST",
    path: "/payments/subscription-plans/{plan_id}/restore",
    id: "restorePlan",
    tag,
    summary: "Restore an archived plan",
    answer: { description: "The plan, which can be subscribed to again.", schema: plan, example: EXAMPLE },
    codes: ["PLAN_NOT_FOUND"],
  },
]
