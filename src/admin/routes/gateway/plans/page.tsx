import { defineRouteConfig } from "@medusajs/admin-sdk"
import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo } from "react"
import { useFormats } from "../../../lib/format"
import { CreatePlan } from "../../../lib/plans/actions"
import { type Plan, PlanBadge, UNITS, everyText, trialText } from "../../../lib/plans/parts"
import { Amount, anyOf, byAmount, byDate, byTime, oneOf, useToday } from "../../../lib/table/parts"
import { AdminTable } from "../../../lib/table/admin-table"
import { useText } from "../../../lib/text"
import { crumb } from "../../../lib/ui/bits"
import { AdminPage } from "../../../lib/ui/admin-page"
import { Link } from "../../../lib/ui/page-links"

const column = createDataTableColumnHelper<Plan>()

function usePlanColumns() {
  const say = useText()
  const formats = useFormats()
  return useMemo(
    () => [
      column.accessor("plan_name", {
        header: say("plans.name"),
        cell: ({ row: { original } }) => (
          <Link to={`/gateway/plans/${original.id}`} className="text-ui-fg-interactive">
            {original.plan_name}
          </Link>
        ),
      }),
      column.accessor("is_active", {
        header: say("plans.status"),
        cell: ({ row: { original } }) => <PlanBadge {...original} />,
      }),
      column.accessor("amount", {
        ...byAmount(say, say("plans.price")),
        cell: ({ row: { original } }) => <Amount {...original} />,
      }),
      column.accessor("interval_unit", {
        header: say("plans.interval"),
        cell: ({ row: { original } }) => <span className="whitespace-nowrap">{everyText(say, original)}</span>,
      }),
      column.accessor("trial_period_days", {
        header: say("plans.trial"),
        cell: ({ row: { original } }) => <span className="whitespace-nowrap">{trialText(say, formats, original)}</span>,
      }),
      column.accessor("created_at", {
        ...byTime(say, say("plans.created")),
        cell: ({ getValue }) => <span className="whitespace-nowrap">{formats.date(getValue())}</span>,
      }),
    ],
    [say, formats]
  )
}

const PlansPage = () => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const columns = usePlanColumns()
  const filters = useMemo(
    () => [
      oneOf(
        "status",
        say("plans.status"),
        (["active", "archived"] as const).map((value) => ({ value, label: say(`plans.${value}`) }))
      ),
      anyOf(
        "interval",
        say("plans.interval"),
        UNITS.map((value) => ({ value, label: say(`plans.units.${value}`) }))
      ),
      byDate(say, formats, today),
    ],
    [say, formats, today]
  )
  return (
    <AdminPage>
      <AdminTable<Plan>
        path="/plans"
        rows="plans"
        phone={["plan_name", "amount", "is_active", "interval_unit"]}
        columns={columns}
        filters={filters}
        heading={say("plans.title")}
        description={say("plans.description")}
        searchFor={say("plans.search")}
        empty={{ heading: say("plans.empty"), description: say("plans.empty_hint") }}
        actions={<CreatePlan />}
      />
    </AdminPage>
  )
}

export const config = defineRouteConfig({ label: "menu.plans", translationNs: "gateway", rank: 25 })
export const handle = crumb("menu.plans")

export default PlansPage
