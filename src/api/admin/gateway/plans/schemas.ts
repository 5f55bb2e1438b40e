import type { Window } from "../../../../modules/gateway/kernel/paging"
import { INTERVAL_UNITS } from "../../../../modules/gateway/kernel/calendar"
import type { PlanChange } from "../../../../modules/gateway/plans/service"
import type { PlanFilter } from "../../../../modules/gateway/plans/list"
import { readPlanChange } from "../../../api/v2/payments/subscription-plans/resource"
import type { JsonObject } from "../../../v2-kit/body"
import { listSchema, one, readList, several, type ListFormat } from "../../../admin-kit/list"

const query = listSchema(
  { status: one(["active", "archived"]).optional(), interval: several(INTERVAL_UNITS).optional() },
  ["created_at", "amount"]
)

export function readFilter(sent: JsonObject): PlanFilter & Window & ListFormat {
  return readList(query, sent)
}

const CLEARABLE = ["plan_description", "trial_period_days", "trial_amount"] as const

/** Like PATCH of `/api/v2`; in addition, an empty form field clears the member. */
export function readChange(body: JsonObject): PlanChange {
  const emptied = CLEARABLE.filter((name) => body[name] === null || body[name] === "")
  return { ...readPlanChange(body), ...Object.fromEntries(emptied.map((name) => [name, null])) }
}
