import { Button } from "@medusajs/ui"
import { useState } from "react"
import { useNavigate } from "react-router-dom"
import { useAdminMutation } from "../data"
import { useText } from "../text"
import { Ask } from "../ui/ask"
import { FormDrawer, FormModal } from "../ui/form"
import { bodyOf, draftOf, NEW_PLAN, PlanFields, type PlanDraft } from "./plan-form"
import type { Plan } from "./types"

export const CreatePlan = () => {
  const say = useText()
  const navigate = useNavigate()
  const [draft, setDraft] = useState<PlanDraft | null>(null)
  const create = useAdminMutation<PlanDraft, { plan: Plan }>(
    { path: () => "/plans", body: (input) => bodyOf(input, null) },
    { done: () => say("plans.created_toast"), onDone: ({ plan }) => navigate(`/gateway/plans/${plan.id}`) }
  )
  const start = () => {
    create.reset()
    setDraft(NEW_PLAN)
  }
  return (
    <>
      <Button size="small" variant="secondary" onClick={start}>
        {say("plans.create")}
      </Button>
      <FormModal
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("plans.create")}
        description={say("plans.create_hint")}
        submit={say("plans.create")}
        pending={create.isPending}
        onSubmit={() => draft && create.mutate(draft)}
      >
        {draft && <PlanFields isNew draft={draft} onChange={setDraft} error={create.error} />}
      </FormModal>
    </>
  )
}

/** The actions on a plan. */
export const PlanActions = ({ plan }: { plan: Plan }) => (
  <>
    <EditPlan plan={plan} />
    <SwitchPlan plan={plan} />
  </>
)

const EditPlan = ({ plan }: { plan: Plan }) => {
  const say = useText()
  const [draft, setDraft] = useState<PlanDraft | null>(null)
  const save = useAdminMutation<PlanDraft>(
    { path: () => `/plans/${plan.id}`, body: (input) => bodyOf(input, plan) },
    { done: () => say("plans.saved"), onDone: () => setDraft(null) }
  )
  const start = () => {
    save.reset()
    setDraft(draftOf(plan))
  }
  return (
    <>
      <Button size="small" variant="secondary" onClick={start}>
        {say("common.edit")}
      </Button>
      <FormDrawer
        open={draft !== null}
        onClose={() => setDraft(null)}
        title={say("plans.edit")}
        description={say("plans.edit_hint")}
        submit={say("common.save")}
        pending={save.isPending}
        onSubmit={() => draft && save.mutate(draft)}
      >
        {draft && <PlanFields isNew={false} draft={draft} onChange={setDraft} error={save.error} />}
      </FormDrawer>
    </>
  )
}

const SwitchPlan = ({ plan }: { plan: Plan }) => {
  const say = useText()
  const name = plan.is_active ? "archive" : "restore"
  const change = useAdminMutation<null, { plan: Plan }>(
    { path: () => `/plans/${plan.id}/${name}` },
    { done: (answer) => say(answer.plan.is_active ? "plans.restored_toast" : "plans.archived_toast") }
  )
  return (
    <Ask
      harmless
      label={say(`plans.${name}`)}
      title={say(`plans.${name}_title`)}
      text={say(`plans.${name}_text`)}
      pending={change.isPending}
      act={() => change.mutate(null)}
    />
  )
}
