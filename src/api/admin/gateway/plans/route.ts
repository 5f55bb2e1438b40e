import { csvColumns } from "../../../admin-kit/csv"
import { listEndpoint } from "../../../admin-kit/list-endpoint"
import { readPlan } from "../../../api/v2/payments/subscription-plans/resource"
import { tenantEndpoint } from "../../../admin-kit/endpoint"
import { presentPlan, readFilter } from "./resource"

/**
 * Plans, newest first; `q` is an id or the beginning of a name; `status` active or archived, `interval` their units.
 */
export const GET = listEndpoint({
  name: "plans",
  read: readFilter,
  page: ({ gateway, tenant }, filter, window) => gateway.planList.list(tenant, filter, window),
  present: presentPlan,
  columns: csvColumns(
    "id",
    "number",
    "plan_name",
    "plan_description",
    "amount",
    "currency",
    "interval_count",
    "interval_unit",
    "trial_period_days",
    "trial_amount",
    "billing_cycles",
    "is_active",
    "created_at"
  ),
})

export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => ({
  plan: presentPlan(await gateway.plans.create(tenant, readPlan(body))),
}))
