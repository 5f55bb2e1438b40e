import type { AdminError } from "../http"
import { useText } from "../text"
import { faultOf } from "../ui/form"
import { entryOf, TextAreaField, TextField } from "../ui/text-field"
import type { PlanDraft } from "./draft"
import { IntervalFields } from "./interval-fields"

type Props = { draft: PlanDraft; onChange: (draft: PlanDraft) => void; error: AdminError | null; isNew: boolean }

/** The fields of a plan, to create and to change one. */
export const PlanFields = ({ draft, onChange, error, isNew }: Props) => {
  const say = useText()
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
        label={say("plans.amount")}
        hint={say("plans.amount_hint")}
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
    </>
  )
}
