import { useMemo } from "react"
import type { Tenant } from "../admin-api"
import { useFormats, type Formats } from "../format"
import { request } from "../http"
import { useText, type Say } from "../text"
import { SearchChoice } from "../ui/search-choice"
import type { Item, Search } from "../ui/use-found"
import { everyText, type Plan, type Terms } from "./types"

/** A plan by its number, with its label in the choice. */
export type ChosenPlan = Item
type Tied = { id?: string; "aria-describedby"?: string; "aria-invalid"?: boolean; "aria-label"?: string }
type Props = {
  tied: Tied
  /** The merchant and environment of the plans; null until known. */
  tenant: Tenant | null
  chosen: ChosenPlan | null
  onChoose: (plan: ChosenPlan | null) => void
  /** Includes archived plans: for filters, not for sale. */
  archived?: boolean
  placeholder?: string
  size?: "small" | "base"
}

/** As many as a person skims; further typing narrows the list. */
const SHOWN = 20

/** `Tea club · ৳450.00 every month` */
export function planItem(
  say: Say,
  { money }: Formats,
  number: number,
  plan: Terms & { plan_name: string }
): ChosenPlan {
  return {
    value: String(number),
    label: `${plan.plan_name} · ${money(plan.amount, plan.currency)} ${everyText(say, plan)}`,
  }
}

/** Chooses one plan among any number: searches by the beginning of its name, or by its id. */
export const ChoosePlan = ({ tied, tenant, chosen, onChoose, archived = false, placeholder, size }: Props) => {
  const say = useText()
  const formats = useFormats()
  const search = useMemo(
    (): Search<ChosenPlan> => ({
      scope: tenant && ["plans", tenant, archived],
      find: async (q, signal) => {
        const query = { ...tenant, q, limit: SHOWN, status: archived ? undefined : "active" }
        const { plans, count } = await request<{ plans: Plan[]; count: number }>("/plans", { query, signal })
        return { items: plans.map((plan) => planItem(say, formats, plan.number, plan)), more: count > plans.length }
      },
      none: say(archived ? "plans.empty" : "plans.widget.no_plans"),
      nothing: say("plans.choose_nothing"),
    }),
    [tenant, archived, say, formats]
  )
  return (
    <SearchChoice
      tied={tied}
      name={say("plans.one")}
      placeholder={placeholder ?? say("plans.search")}
      chosen={chosen}
      onChoose={onChoose}
      search={search}
      size={size}
    />
  )
}
