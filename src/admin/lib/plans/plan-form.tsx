import { typedNumber } from "../../../i18n/typed"
import { useFormats } from "../format"
import type { AdminError } from "../http"
import { useText } from "../text"
import { TextAreaField, TextField, entryOf } from "../ui/fields"
import { faultOf } from "../ui/form"
import { changedMembers } from "../use"
import { type IntervalDraft, IntervalFields, type Plan } from "./parts"

export type PlanDraft = IntervalDraft & {
  plan_name: string
  plan_name_bn: string
  plan_description: string
  family: string
  amount: string
  trial_period_days: string
  trial_amount: string
  billing_cycles: string
}

const CURRENCY = "BDT"

export const NEW_PLAN: PlanDraft = {
  plan_name: "",
  plan_name_bn: "",
  plan_description: "",
  family: "",
  amount: "",
  interval_count: "1",
  interval_unit: "MONTH",
  trial_period_days: "",
  trial_amount: "",
  billing_cycles: "",
}

export function draftOf(plan: Plan): PlanDraft {
  return {
    plan_name: plan.plan_name,
    plan_name_bn: typeof plan.meta_data.plan_name_bn === "string" ? plan.meta_data.plan_name_bn : "",
    plan_description: plan.plan_description ?? "",
    family: plan.family ?? "",
    amount: plan.amount,
    interval_count: String(plan.interval_count),
    interval_unit: plan.interval_unit,
    trial_period_days: plan.trial_period_days === null ? "" : String(plan.trial_period_days),
    trial_amount: plan.trial_amount ?? "",
    billing_cycles: plan.billing_cycles === null ? "" : String(plan.billing_cycles),
  }
}

/** What an existing plan can change too; null, or 0, for emptied fields. */
function termsOf(draft: PlanDraft) {
  const { plan_name, plan_description, family, amount, trial_period_days, trial_amount, billing_cycles } = draft
  return {
    plan_name,
    plan_description,
    family,
    amount,
    trial_period_days: typedNumber(trial_period_days) ?? null,
    trial_amount: trial_amount.trim() === "" ? null : trial_amount.trim(),
    billing_cycles: typedNumber(billing_cycles) ?? 0,
  }
}

/** The name in Bangla is a member of the plan's own data, whose others stay. */
function dataWithName(data: Plan["meta_data"], { plan_name_bn }: PlanDraft): object {
  const others = Object.fromEntries(Object.entries(data).filter(([name]) => name !== "plan_name_bn"))
  const name = plan_name_bn.trim()
  return name === "" ? others : { ...others, plan_name_bn: name }
}

/** The body of a new plan. */
export function bodyOf(draft: PlanDraft): object {
  const { interval_count, interval_unit } = draft
  const meta_data = dataWithName({}, draft)
  return { ...termsOf(draft), meta_data, interval_count: typedNumber(interval_count), interval_unit }
}

/**
 * The body that changes `plan`, as it is known now: what the admin has changed since the form was `opened`, and nothing
 * else.
 */
export function changeOf(draft: PlanDraft, opened: PlanDraft, plan: Plan): object {
  const isRenamed = draft.plan_name_bn.trim() !== opened.plan_name_bn.trim()
  return {
    ...changedMembers(termsOf(draft), termsOf(opened)),
    ...(isRenamed ? { meta_data: dataWithName(plan.meta_data, draft) } : {}),
  }
}

type Props = { draft: PlanDraft; onChange: (draft: PlanDraft) => void; error: AdminError | null; isNew: boolean }

/** The fields of a plan, to create and to change one. */
export const PlanFields = ({ draft, onChange, error, isNew }: Props) => {
  const say = useText()
  const { money } = useFormats()
  const typed = (name: Exclude<keyof PlanDraft, "interval_unit">) => entryOf(draft, onChange, name)
  return (
    <>
      <TextField label={say("plans.name")} fault={faultOf(error, "plan_name")} autoFocus {...typed("plan_name")} />
      <TextField
        optional
        label={say("plans.name_bn")}
        hint={say("plans.name_bn_hint")}
        fault={faultOf(error, "meta_data")}
        lang="bn"
        maxLength={200}
        {...typed("plan_name_bn")}
      />
      <TextAreaField
        optional
        label={say("plans.about")}
        fault={faultOf(error, "plan_description")}
        {...typed("plan_description")}
      />
      <TextField
        optional
        label={say("plans.family")}
        hint={say("plans.family_hint")}
        fault={faultOf(error, "family")}
        maxLength={200}
        {...typed("family")}
      />
      <TextField
        label={say("plans.amount")}
        hint={say("plans.amount_hint", { min: money("10.00", CURRENCY), max: money("500000.00", CURRENCY) })}
        fault={faultOf(error, "amount")}
        inputMode="decimal"
        {...typed("amount")}
      />
      {isNew && <IntervalFields draft={draft} onChange={onChange} error={error} />}
      <TextField
        optional
        label={say("plans.trial_days")}
        hint={say("plans.trial_days_hint")}
        fault={faultOf(error, "trial_period_days")}
        inputMode="numeric"
        {...typed("trial_period_days")}
      />
      <TextField
        optional
        label={say("plans.trial_amount")}
        hint={say("plans.trial_amount_hint")}
        fault={faultOf(error, "trial_amount")}
        inputMode="decimal"
        {...typed("trial_amount")}
      />
      <TextField
        optional
        label={say("ends.cycles")}
        hint={say("ends.plan_hint")}
        fault={faultOf(error, "billing_cycles")}
        inputMode="numeric"
        {...typed("billing_cycles")}
      />
    </>
  )
}
