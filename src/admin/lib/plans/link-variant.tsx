import { useMemo, useState } from "react"
import { useAdminMutation } from "../data"
import { useFrame, type Tenant } from "../admin-api"
import { useFormats } from "../format"
import { useText } from "../text"
import { ActButton } from "../ui/act-button"
import { Ask } from "../ui/ask"
import { faultOf, Field, FormDrawer } from "../ui/form"
import { LeavingQuestion } from "../ui/leaving"
import { ChoosePlan, planItem, type ChosenPlan } from "./choose-plan"
import type { VariantPlan } from "./variants"

type Props = { row: VariantPlan; name: string }

/** Links a variant to a plan, or to another one. */
export const LinkVariant = ({ row, name }: Props) => {
  const say = useText()
  const formats = useFormats()
  const tenant = useStoreTenant()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<ChosenPlan | null>(null)
  const link = useAdminMutation<ChosenPlan | null>(
    {
      path: () => "/variant-plans",
      body: (plan) => ({ variant_id: row.variant_id, plan_id: plan === null ? undefined : Number(plan.value) }),
    },
    { done: () => say("plans.widget.linked"), onDone: () => setOpen(false) }
  )
  const start = () => {
    link.reset()
    setChosen(row.plan && planItem(say, formats, row.plan.id, row.plan))
    setOpen(true)
  }
  const label = say(row.plan === null ? "plans.widget.link" : "plans.widget.change")
  return (
    <>
      <ActButton area="variant-plans" variant="secondary" onClick={start} aria-label={`${label}: ${name}`}>
        {label}
      </ActButton>
      {isOpen && <LeavingQuestion />}
      <FormDrawer
        open={isOpen}
        onClose={() => setOpen(false)}
        title={name}
        description={say("plans.widget.hint")}
        submit={say("common.save")}
        pending={link.isPending}
        onSubmit={() => link.mutate(chosen)}
      >
        <Field
          label={say("plans.widget.plan")}
          hint={say("plans.widget.plan_hint")}
          fault={faultOf(link.error, "plan_id")}
        >
          {(tied) => <ChoosePlan tied={tied} tenant={tenant} chosen={chosen} onChoose={setChosen} />}
        </Field>
      </FormDrawer>
    </>
  )
}

/** The merchant of the store's own carts, whichever merchant is on screen. */
function useStoreTenant(): Tenant | null {
  const { data: frame } = useFrame()
  return useMemo(
    () => (frame === undefined ? null : { merchant_id: frame.default_merchant_id, environment: frame.environment }),
    [frame]
  )
}

/** Unlinks the variant: it becomes a one-time purchase again. */
export const UnlinkVariant = ({ row }: { row: VariantPlan }) => {
  const say = useText()
  const remove = useAdminMutation<null>(
    { path: () => `/variant-plans/${row.variant_id}`, method: "DELETE" },
    { done: () => say("plans.widget.removed") }
  )
  return (
    <Ask
      area="variant-plans"
      deletes
      label={say("plans.widget.remove")}
      title={say("plans.widget.remove_title")}
      text={say("plans.widget.remove_text")}
      pending={remove.isPending}
      act={() => remove.mutate(null)}
    />
  )
}
