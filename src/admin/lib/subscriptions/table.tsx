import { createDataTableColumnHelper, Text } from "@medusajs/ui"
import { useMemo, type ReactNode } from "react"
import { Link } from "react-router-dom"
import { useDeskQuery } from "../data"
import { useFormats } from "../format"
import type { Query } from "../http"
import { everyText, type Plan } from "../plans/types"
import { DeskTable } from "../table/desk-table"
import { anyOf, byDate, oneOf } from "../table/filters"
import { useText } from "../text"
import { SubscriptionBadge } from "./parts"
import { STATUSES, type Subscription } from "./types"

const column = createDataTableColumnHelper<Subscription>()

function useColumns() {
  const say = useText()
  const { money, date, time } = useFormats()
  return useMemo(
    () => [
      column.accessor("created_at", {
        header: say("subscriptions.created"),
        enableSorting: true,
        sortAscLabel: say("table.oldest"),
        sortDescLabel: say("table.newest"),
        cell: ({ row: { original } }) => (
          <Link to={`/gateway/subscriptions/${original.id}`} className="text-ui-fg-interactive whitespace-nowrap">
            {time(original.created_at)}
          </Link>
        ),
      }),
      column.accessor("customer", {
        header: say("subscriptions.customer"),
        cell: ({ row: { original: { customer } } }) => (
          <div className="py-2">
            <Text size="small" leading="compact">{customer.name}</Text>
            <Text size="xsmall" className="text-ui-fg-subtle">{customer.email}</Text>
          </div>
        ),
      }),
      column.accessor("status", { header: say("subscriptions.status"), cell: ({ getValue }) => <SubscriptionBadge status={getValue()} /> }),
      column.accessor("plan", {
        header: say("subscriptions.plan"),
        cell: ({ getValue }) => {
          const plan = getValue()
          return plan === null ? (
            <span className="text-ui-fg-muted whitespace-nowrap">{say("subscriptions.no_plan")}</span>
          ) : (
            <Link to={`/gateway/plans/${plan.number}`} className="text-ui-fg-interactive whitespace-nowrap">{plan.plan_name}</Link>
          )
        },
      }),
      column.accessor("amount", {
        header: say("subscriptions.amount"),
        align: "right",
        cell: ({ row: { original } }) => (
          <span className="whitespace-nowrap tabular-nums">{`${money(original.amount, original.currency)} ${everyText(say, original)}`}</span>
        ),
      }),
      column.accessor("next_billing_date", {
        header: say("subscriptions.next"),
        cell: ({ getValue }) => <span className="whitespace-nowrap">{date(getValue()) || "–"}</span>,
      }),
    ],
    [say, money, date, time]
  )
}

type Props = {
  heading: string
  description: string
  empty: { heading: string; description: string }
  /** Can be filtered by plan: not where the plan is fixed. */
  withPlans?: boolean
  fixed?: Query
  level?: "h1" | "h2"
  actions?: ReactNode
}

/** Subscriptions: all of them, or those of a plan. */
export const SubscriptionTable = ({ withPlans = false, ...props }: Props) => {
  const say = useText()
  const formats = useFormats()
  const columns = useColumns()
  const { data } = useDeskQuery<{ plans: Plan[] }>("/plans", { limit: 100 }, withPlans)
  const filters = useMemo(
    () => [
      anyOf("status", say("subscriptions.status"), STATUSES.map((value) => ({ value, label: say(`subscriptions.statuses.${value}`) }))),
      ...(withPlans ? [oneOf("plan_id", say("subscriptions.plan"), (data?.plans ?? []).map(({ id, plan_name }) => ({ value: id, label: plan_name })))] : []),
      byDate(say, formats),
    ],
    [say, formats, withPlans, data]
  )
  return (
    <DeskTable<Subscription>
      path="/subscriptions"
      rows="subscriptions"
      columns={columns}
      filters={filters}
      searchFor={say("subscriptions.search")}
      {...props}
    />
  )
}
