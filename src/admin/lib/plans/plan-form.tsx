import { Input, Textarea } from "@medusajs/ui"
import type { AdminError } from "../http"
import { useText } from "../text"
import { faultOf, Field } from "../ui/form"
import { IntervalFields, numberOf, type IntervalDraft } from "./interval-fields"
import type { Plan } from "./types"

export type PlanDraft = IntervalDraft & {
  plan_name: string
  plan_name_bn: string
  plan_description: string
  amount: string
  trial_period_days: string
  trial_amount: string
}

export const NEW_PLAN: PlanDraft = {
  plan_name: "",
  plan_name_bn: "",
  plan_description: "",
  amount: "",
  interval_count: "1",
  interval_unit: "MONTH",
  trial_period_days: "",
  trial_amount: "",
}

export function draftOf(plan: Plan): PlanDraft {
  return {
    plan_name: plan.plan_name,
    plan_name_bn: typeof plan.meta_data.plan_name_bn === "string" ? plan.meta_data.plan_name_bn : "",
    plan_description: plan.plan_description ?? "",
    amount: plan.amount,
    interval_count: String(plan.interval_count),
    interval_unit: plan.interval_unit,
    trial_period_days: plan.trial_period_days === null ? "" : String(plan.trial_period_days),
    trial_amount: plan.trial_amount ?? "",
  }
}

/**
 * The body of a new plan, or of a change of `plan`: without the fixed fields, and with null for emptied ones. The name in
 * Bangla is a member of the plan's own data, whose others stay.
 */
export function bodyOf(draft: PlanDraft, plan: Plan | null): object {
  const others = Object.fromEntries(Object.entries(plan?.meta_data ?? {}).filter(([name]) => name !== "plan_name_bn"))
  const nameInBangla = draft.plan_name_bn.trim()
  const { plan_name, plan_description, amount, interval_count, interval_unit, trial_period_days, trial_amount } = draft
  const terms = {
    plan_name,
    plan_description,
    amount,
    trial_period_days: numberOf(trial_period_days) ?? null,
    trial_amount: trial_amount.trim() === "" ? null : trial_amount.trim(),
    meta_data: nameInBangla === "" ? others : { ...others, plan_name_bn: nameInBangla },
  }
  return plan === null ? { ...terms, interval_count: numberOf(interval_count), interval_unit } : terms
}

type Props = { draft: PlanDraft; onChange: (draft: PlanDraft) => void; error: AdminError | null; isNew: boolean }

/** The fields of a plan, to create and to change one. */
export const PlanFields = ({ draft, onChange, error, isNew }: Props) => {
  const say = useText()
  const typed = (name: Exclude<keyof PlanDraft, "interval_unit">) => ({
    value: draft[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...draft, [name]: target.value }),
  })
  return (
    <>
      <Field label={say("plans.name")} fault={faultOf(error, "plan_name")}>
        {(tied) => <Input {...tied} autoFocus {...typed("plan_name")} />}
      </Field>
      <Field optional label={say("plans.name_bn")} hint={say("plans.name_bn_hint")} fault={faultOf(error, "meta_data")}>
        {(tied) => <Input {...tied} lang="bn" maxLength={200} {...typed("plan_name_bn")} />}
      </Field>
      <Field optional label={say("plans.about")} fault={faultOf(error, "plan_description")}>
        {(tied) => <Textarea {...tied} {...typed("plan_description")} />}
      </Field>
      <Field label={say("plans.amount")} hint={say("plans.amount_hint")} fault={faultOf(error, "amount")}>
        {(tied) => <Input {...tied} inputMode="decimal" {...typed("amount")} />}
      </Field>
      {isNew && <IntervalFields draft={draft} onChange={onChange} error={error} />}
      <Field
        optional
        label={say("plans.trial_days")}
        hint={say("plans.trial_days_hint")}
        fault={faultOf(error, "trial_period_days")}
      >
        {(tied) => <Input {...tied} inputMode="numeric" {...typed("trial_period_days")} />}
      </Field>
      <Field
        optional
        label={say("plans.trial_amount")}
        hint={say("plans.trial_amount_hint")}
        fault={faultOf(error, "trial_amount")}
      >
        {(tied) => <Input {...tied} inputMode="decimal" {...typed("trial_amount")} />}
      </Field>
    </>
  )
}
