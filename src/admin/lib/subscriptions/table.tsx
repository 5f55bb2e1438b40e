import { createDataTableColumnHelper } from "@medusajs/ui"
import { useMemo, useState, type ReactNode } from "react"
import { useAdminQuery } from "../data"
import { useTenant } from "../admin-api"
import { useFormats } from "../format"
import type { Query } from "../http"
import { ChoosePlan, type ChosenPlan, type Plan, everyText, planItem } from "../plans/parts"
import { Amount, FITTED, NAMED, TwoLines, WHEN, anyOf, byDate, byTime, useToday } from "../table/parts"
import { AdminTable } from "../table/admin-table"
import { useAddressFilter } from "../table/url-state"
import { useText } from "../text"
import { STATUSES, type Subscription, SubscriptionBadge, endText, timesText } from "./parts"
import { Link } from "../ui/page-links"

const column = createDataTableColumnHelper<Subscription>()

function useColumns() {
  const say = useText()
  const formats = useFormats()
  return useMemo(() => {
    const { date, time } = formats
    return [
      column.accessor("created_at", {
        ...byTime(say, say("subscriptions.created")),
        cell: ({ row: { original } }) => (
          <Link to={`/gateway/subscriptions/${original.id}`} className={`text-ui-fg-interactive ${WHEN}`}>
            {time(original.created_at)}
          </Link>
        ),
      }),
      column.accessor("customer", {
        header: say("subscriptions.customer"),
        cell: ({
          row: {
            original: { customer },
          },
        }) => <TwoLines first={customer.name} second={customer.email} />,
      }),
      column.accessor("status", {
        header: say("subscriptions.status"),
        cell: ({ getValue }) => <SubscriptionBadge status={getValue()} />,
      }),
      column.accessor("amount", {
        header: say("subscriptions.amount"),
        align: "right",
        cell: ({ row: { original } }) => {
          const words = [everyText(say, original), timesText(formats, original)].filter((part) => part !== "")
          return (
            <TwoLines className={`${FITTED} text-right`} first={<Amount {...original} />} second={words.join(" · ")} />
          )
        },
      }),
      column.accessor("plan", {
        header: say("subscriptions.plan"),
        cell: ({ getValue }) => {
          const plan = getValue()
          return plan === null ? (
            <span className="text-ui-fg-muted whitespace-nowrap">{say("subscriptions.no_plan")}</span>
          ) : (
            <Link to={`/gateway/plans/${plan.number}`} className={`text-ui-fg-interactive block ${NAMED}`}>
              {plan.plan_name}
            </Link>
          )
        },
      }),
      column.accessor("next_billing_date", {
        header: say("subscriptions.next"),
        cell: ({ getValue, row: { original } }) => (
          <TwoLines
            className={NAMED}
            first={date(getValue()) || "–"}
            second={endText(say, formats, original.end) || null}
          />
        ),
      }),
    ]
  }, [say, formats])
}

type Props = {
  heading: string
  description: string
  empty: { heading: string; description: string }
  fixed?: Query
  level?: "h1" | "h2"
  field?: ReactNode
  actions?: ReactNode
}

/** Subscriptions: all, or those of one plan. */
export const SubscriptionTable = (props: Props) => {
  const say = useText()
  const formats = useFormats()
  const today = useToday()
  const columns = useColumns()
  const filters = useMemo(
    () => [
      anyOf(
        "status",
        say("subscriptions.status"),
        STATUSES.map((value) => ({ value, label: say(`subscriptions.statuses.${value}`) }))
      ),
      byDate(say, formats, today),
    ],
    [say, formats, today]
  )
  return (
    <AdminTable<Subscription>
      path="/subscriptions"
      rows="subscriptions"
      phone={["customer", "amount", "status"]}
      columns={columns}
      filters={filters}
      searchFor={say("subscriptions.search")}
      {...props}
    />
  )
}

/** All subscriptions, or those of one plan, which is chosen by search: there may be thousands of plans. */
export const SubscriptionTableByPlan = (props: Props) => {
  const say = useText()
  const { tenant } = useTenant()
  const [plan_id, setPlan] = useAddressFilter("plan_id")
  const { chosen, setChosen } = useChosenPlan(plan_id)
  const nothing = { heading: say("table.nothing"), description: say("table.nothing_hint") }
  return (
    <SubscriptionTable
      {...props}
      empty={plan_id === null ? props.empty : nothing}
      fixed={{ plan_id: plan_id ?? undefined }}
      field={
        <ChoosePlan
          archived
          size="small"
          tied={{ "aria-label": say("subscriptions.plan") }}
          placeholder={say("subscriptions.any_plan")}
          tenant={tenant}
          chosen={chosen}
          onChoose={(plan) => {
            setChosen(plan)
            setPlan(plan?.value ?? null)
          }}
        />
      }
    />
  )
}

/** The plan in the address, by number or uuid; an unknown one is shown as it stands there. */
function useChosenPlan(plan_id: string | null) {
  const say = useText()
  const formats = useFormats()
  const [chosen, setChosen] = useState<ChosenPlan | null>(null)
  const isKnown = plan_id === null || chosen?.value === plan_id
  const { data, error } = useAdminQuery<{ plan: Plan }>(`/plans/${encodeURIComponent(plan_id ?? "")}`, {}, !isKnown)
  if (plan_id === null || isKnown) {
    return { chosen: plan_id === null ? null : chosen, setChosen }
  }
  const { plan } = data ?? {}
  const isAsked = plan !== undefined && (String(plan.number) === plan_id || plan.id === plan_id)
  return {
    chosen: isAsked
      ? planItem(say, formats, plan.number, plan)
      : { value: plan_id, label: error === null ? "" : plan_id },
    setChosen,
  }
}
