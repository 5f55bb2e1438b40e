import { Input, Textarea } from "@medusajs/ui"
import type { AdminError } from "../http"
import { useText } from "../text"
import { faultOf, Field } from "../ui/form"
import type { PlanDraft } from "./draft"
import { IntervalFields } from "./interval-fields"

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
