import type { presentPlan } from "../../../api/admin/gateway/plans/resource"
import type { Json } from "../http"
import { type ComponentProps, useMemo } from "react"
import { type Tenant, useTenant } from "../admin-api"
import { type Formats, useFormats } from "../format"
import { type AdminError, request } from "../http"
import { type Say, useText } from "../text"
import { Badge } from "../ui/bits"
import { ChoiceField, SearchChoice, TextField } from "../ui/fields"
import { Field, faultOf } from "../ui/form"
import type { Item, Search } from "../ui/leaving"

export type Unit = "DAY" | "WEEK" | "MONTH" | "YEAR"
export const UNITS: readonly Unit[] = ["DAY", "WEEK", "MONTH", "YEAR"]

export type Terms = { amount: string; currency: string; interval_count: number; interval_unit: Unit }
export type Plan = Json<ReturnType<typeof presentPlan>>

/** `every month`, `every 2 weeks` */
export function everyText(
  say: Say,
  { interval_count, interval_unit }: Pick<Terms, "interval_count" | "interval_unit">
): string {
  return say(`plans.every.${interval_unit}`, { count: interval_count })
}

export function trialText(say: Say, { money }: Formats, { trial_period_days, trial_amount, currency }: Plan): string {
  const count = trial_period_days ?? 0
  if (count === 0) {
    return say("plans.trial_none")
  }
  return trial_amount === null
    ? say("plans.trial_free", { count })
    : say("plans.trial_paid", { count, amount: money(trial_amount, currency) })
}

export const PlanBadge = ({ is_active }: Pick<Plan, "is_active">) => {
  const say = useText()
  return <Badge color={is_active ? "green" : "grey"}>{say(is_active ? "plans.active" : "plans.archived")}</Badge>
}

/** A billing interval as it stands in a form. */
export type IntervalDraft = { interval_count: string; interval_unit: Unit }

/** A variant of the store with its plan, in the form of `/api/v2`, where the number is the id. */
export type VariantPlan = {
  variant_id: string
  variant: { title: string; sku: string | null; product_id: string; product_title: string } | null
  plan: SoldPlan | null
}
type SoldPlan = Omit<Plan, "id" | "number" | "plan_description"> & { id: number; uuid: string }

type IntervalProps<Draft> = { draft: Draft; onChange: (draft: Draft) => void; error: AdminError | null }

/** The fields of a billing interval. */
export function IntervalFields<Draft extends IntervalDraft>({ draft, onChange, error }: IntervalProps<Draft>) {
  const say = useText()
  return (
    <div className="grid grid-cols-2 items-start gap-4">
      <TextField
        label={say("plans.interval_count")}
        fault={faultOf(error, "interval_count")}
        inputMode="numeric"
        value={draft.interval_count}
        onChange={(interval_count) => onChange({ ...draft, interval_count })}
      />
      <ChoiceField
        label={say("plans.interval_unit")}
        fault={faultOf(error, "interval_unit")}
        value={draft.interval_unit}
        options={UNITS.map((unit) => ({ value: unit, label: say(`plans.units.${unit}`) }))}
        onChange={(interval_unit) => onChange({ ...draft, interval_unit })}
      />
    </div>
  )
}

/** A plan by its number, with its label in the choice. */
export type ChosenPlan = Item
type Tied = { id?: string; "aria-describedby"?: string; "aria-invalid"?: boolean; "aria-label"?: string }
type ChoiceProps = {
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

type PlanFieldProps = {
  fault: ComponentProps<typeof Field>["fault"]
  chosen: ChosenPlan | null
  onChoose: (plan: ChosenPlan | null) => void
}

/** The plan of a subscription, in a form. */
export const PlanField = ({ fault, chosen, onChoose }: PlanFieldProps) => {
  const say = useText()
  const { tenant } = useTenant()
  return (
    <Field label={say("subscriptions.plan")} fault={fault} value={chosen}>
      {(tied) => <ChoosePlan tied={tied} tenant={tenant} chosen={chosen} onChoose={onChoose} />}
    </Field>
  )
}

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
export const ChoosePlan = ({ tied, tenant, chosen, onChoose, archived = false, placeholder, size }: ChoiceProps) => {
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
