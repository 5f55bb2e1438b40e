import { Button } from "@medusajs/ui"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useDeskMutation } from "../data"
import { useFrame } from "../desk"
import { request, type DeskError } from "../http"
import { useText } from "../text"
import { Ask } from "../ui/ask"
import { faultOf, Field, FormDrawer } from "../ui/form"
import { CHOICE, ChoosePlan } from "./choose-plan"
import type { Plan } from "./types"
import type { VariantPlan } from "./variants"

type Props = { row: VariantPlan; name: string }

/** Puts a variant on a plan, or on another one. */
export const LinkVariant = ({ row, name }: Props) => {
  const say = useText()
  const [chosen, setChosen] = useState<string | null>(null)
  const plans = useStorePlans(chosen !== null)
  const link = useDeskMutation<string>(
    { path: () => "/variant-plans", body: (plan_id) => ({ variant_id: row.variant_id, plan_id: plan_id === "" ? undefined : Number(plan_id) }) },
    { done: () => say("plans.widget.linked"), onDone: () => setChosen(null) }
  )
  const start = () => {
    link.reset()
    setChosen(row.plan === null ? "" : String(row.plan.id))
  }
  const label = say(row.plan === null ? "plans.widget.link" : "plans.widget.change")
  return (
    <>
      <Button size="small" variant="secondary" onClick={start} aria-label={`${label}: ${name}`}>
        {label}
      </Button>
      <FormDrawer
        open={chosen !== null}
        onClose={() => setChosen(null)}
        title={name}
        description={say("plans.widget.hint")}
        submit={say("common.save")}
        pending={link.isPending}
        onSubmit={() => chosen !== null && link.mutate(chosen)}
      >
        <Field label={say("plans.widget.plan")} hint={say("plans.widget.plan_hint")} fault={faultOf(link.error, "plan_id")}>
          {(tied) => <ChoosePlan tied={tied} plans={plans} value={chosen ?? ""} onChange={setChosen} />}
        </Field>
      </FormDrawer>
    </>
  )
}

/** The plans that the store itself can sell, whatever desk was looked at last. */
function useStorePlans(enabled: boolean): Plan[] | undefined {
  const { data: frame } = useFrame()
  const merchant_id = frame?.default_merchant_id
  const environment = frame?.environment
  const { data } = useQuery<{ plans: Plan[] }, DeskError>({
    queryKey: ["gateway", "store-plans", merchant_id, environment],
    queryFn: ({ signal }) => request("/plans", { query: { ...CHOICE, merchant_id, environment }, signal }),
    enabled: enabled && frame !== undefined,
  })
  return data?.plans
}

/** The variant is sold once again. */
export const TakeOff = ({ row }: { row: VariantPlan }) => {
  const say = useText()
  const remove = useDeskMutation<null>({ path: () => `/variant-plans/${row.variant_id}`, method: "DELETE" }, { done: () => say("plans.widget.removed") })
  return (
    <Ask
      label={say("plans.widget.remove")}
      title={say("plans.widget.remove_title")}
      text={say("plans.widget.remove_text")}
      pending={remove.isPending}
      act={() => remove.mutate(null)}
    />
  )
}
